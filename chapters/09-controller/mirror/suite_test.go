package mirror_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
)

// TestSuite gives the controller to the suite: on client-go's informer and queue, on this book's, and on one of each.
func TestSuite(t *testing.T) {
	theirs, book := mirror.ClientGo(), mirror.Book()
	ourQueue, ourInformer := theirs, theirs
	ourQueue.Queue, ourInformer.Informer = book.Queue, book.Informer
	for name, parts := range map[string]mirror.Parts{"client-go": theirs, "the book's": book,
		"our queue": ourQueue, "our informer": ourInformer} {
		t.Run(name, func(t *testing.T) { mirrortest.Run(t, of(mirror.Options{Parts: parts})) })
	}
}
