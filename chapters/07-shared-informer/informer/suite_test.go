package informer_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer/informertest"
)

// upstreams are client-go's own parts, where an informer of ours takes others than this book's.
var upstreams = map[string]func(*informer.Parts){
	"reflector": func(p *informer.Parts) { p.Controller = cache.New },
	"queue": func(p *informer.Parts) {
		p.Queue = func(o cache.RealFIFOOptions) cache.Queue { return cache.NewRealFIFOWithOptions(o) }
	},
	"store": func(p *informer.Parts) {
		p.Store = func(key cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
			return cache.NewIndexer(key, indexers)
		}
	},
}

// TestSuite gives our informer to the suite, with each of its parts ours or upstream's: whatever is built on upstream's
// interfaces, and keeps what they promise, makes an informer.
func TestSuite(t *testing.T) {
	for _, theirs := range []string{"nothing", "reflector", "queue", "store", "reflector queue", "reflector store",
		"queue store", "reflector queue store"} {
		t.Run(theirs+" of upstream's", func(t *testing.T) {
			var parts informer.Parts
			for name, use := range upstreams {
				if strings.Contains(theirs, name) {
					use(&parts)
				}
			}
			informertest.Run(t, func(lw cache.ListerWatcher, example runtime.Object,
				o cache.SharedIndexInformerOptions) cache.SharedIndexInformer {
				return informer.New(lw, example, informer.Options{ResyncPeriod: o.ResyncPeriod, Indexers: o.Indexers,
					ObjectDescription: o.ObjectDescription, Parts: parts})
			})
		})
	}
}
