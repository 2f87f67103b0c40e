package managed_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
)

// TestSuite gives the controller to chapter 09's suite: on controller-runtime's own informer and queue, on this book's,
// and on one of each.
func TestSuite(t *testing.T) {
	book := managed.Book()
	for name, parts := range map[string]managed.Parts{
		"upstream":                   managed.Upstream(),
		"the book's":                 book,
		"the book's with priorities": managed.BookPriority(),
		"our informer":               {NewInformer: book.NewInformer},
		"our queue":                  {NewQueue: book.NewQueue},
	} {
		t.Run(name, func(t *testing.T) { mirrortest.Run(t, of(managed.Options{Parts: parts})) })
	}
}
