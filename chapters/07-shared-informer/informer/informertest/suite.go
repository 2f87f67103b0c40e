// Package informertest is what any shared informer has to pass: chapter 07's with its own parts and with client-go's,
// a reader's, and client-go's own, which passes, too. What an informer has to do is what the comments on
// cache.SharedInformer promise, and where they leave a question open, what client-go's does.
//
// Reading order: suite.go, sentence.go and the guarantees in sentences/; the notation of objects (object.go); what is
// done with an informer (rig.go, ask.go), between a collection (source.go) and its handlers (handler.go); and last
// concurrent.go.
package informertest

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// New makes an informer that has not begun, as cache.NewSharedIndexInformerWithOptions does. Of the options the suite
// sets ResyncPeriod and Indexers.
type New = func(lw cache.ListerWatcher, example runtime.Object,
	options cache.SharedIndexInformerOptions) cache.SharedIndexInformer

// Run runs the suite: each guarantee in virtual time, where the server streams its lists and where it does not, and
// goroutines that do everything at once. Under the race detector it says more. In a package that calls it,
// utilruntime.ErrorHandlers[1:] have to be taken away: one of them counts time across bubbles.
func Run(t *testing.T, newInformer New) {
	t.Run("guarantees", func(t *testing.T) {
		for _, s := range sentences {
			t.Run(s.says, func(t *testing.T) {
				for _, server := range []string{"streams", "lists"} {
					testkit.Bubble(t, func(t *testing.T) { s.play(t, newInformer, server) })
				}
			})
		}
	})
	if !t.Failed() { // the sentences say better what is wrong
		t.Run("concurrent", func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) { concurrent(t, newInformer) })
		})
	}
}
