package informer

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
)

// Options are what an informer can do without. The zero value is an informer without indexes and resyncs.
//
// Upstream: cache.SharedIndexInformerOptions, in tools/cache/shared_informer.go, which also has the Identifier and the
// provider of metrics.
type Options struct {
	// ResyncPeriod is how often handlers hear of each object again that were added without a period of their own. None
	// do if 0, not even with one. It is also how often the informer looks whether any handler wants that; a handler
	// that is added before the informer runs can make it more often.
	ResyncPeriod time.Duration
	// Indexers are the indexes that the store begins with.
	Indexers cache.Indexers
	// ObjectDescription is what the objects are called in logs. By default it follows from the example object.
	ObjectDescription string
	// MutationDetector is told of each object that goes to handlers, and runs as long as the informer. By default it is
	// client-go's, which does nothing unless KUBE_CACHE_MUTATION_DETECTOR is set in the environment.
	MutationDetector cache.MutationDetector
	// Clock is the time. By default it is the real one.
	Clock clock.Clock
	// Parts replace pieces of the informer.
	Parts Parts
}

// Parts are the pieces of an informer that can be replaced, each by one that keeps the same promise. Those that are nil
// are this book's own. Upstream's informer has no such seams.
type Parts struct {
	// Store makes the store: chapter 04's. Batches are applied as one if it is a cache.TransactionStore.
	Store func(key cache.KeyFunc, indexers cache.Indexers) cache.Indexer
	// Queue makes what stands between the reflector and the store: chapter 06's RealFIFO. Batches are popped if it is a
	// cache.QueueWithBatch.
	Queue func(cache.RealFIFOOptions) cache.Queue
	// Reflector makes the pieces of chapter 05's reflector. Each informer has one, and so pieces of its own.
	Reflector func() reflector.Parts
	// Controller makes what fills the queue and empties it: [NewController], with chapter 05's reflector. One that is
	// given takes no notice of Reflector.
	Controller func(*cache.Config) cache.Controller
	// Buffer stands between the informer and a handler: [Pump].
	Buffer Buffer
	// Gone finds what a re-list has to delete: chapter 06's.
	Gone fifo.Gone
}

// complete fills in what was left out.
func (o Options) complete(example runtime.Object) Options {
	if o.Indexers == nil {
		o.Indexers = cache.Indexers{} // client-go's store panics when one is added to none
	}
	if o.MutationDetector == nil {
		o.MutationDetector = cache.NewCacheMutationDetector(fmt.Sprintf("%T", example))
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if o.Parts.Store == nil {
		o.Parts.Store = newStore
	}
	if o.Parts.Queue == nil {
		o.Parts.Queue = newQueue
	}
	if o.Parts.Controller == nil {
		var pieces reflector.Parts
		if o.Parts.Reflector != nil {
			pieces = o.Parts.Reflector()
		}
		o.Parts.Controller = func(c *cache.Config) cache.Controller { return newController(c, o.Clock, pieces) }
	}
	if o.Parts.Buffer == nil {
		o.Parts.Buffer = Pump[Notification]
	}
	if o.Parts.Gone == nil {
		o.Parts.Gone = fifo.GoneWith(klog.Background())
	}
	return o
}

func newStore(key cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
	return store.New(key, indexers)
}

func newQueue(o cache.RealFIFOOptions) cache.Queue {
	return fifo.NewRealFIFO(fifo.RealFIFOOptions{Name: o.Name, Logger: o.Logger, KeyFunction: o.KeyFunction,
		KnownObjects: o.KnownObjects, Transformer: o.Transformer, AtomicEvents: o.AtomicEvents,
		UnlockWhileProcessing: o.UnlockWhileProcessing, EmitDeltaTypeBookmark: o.EmitDeltaTypeBookmark})
}
