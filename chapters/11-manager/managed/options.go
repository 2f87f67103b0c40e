package managed

import (
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// Options are what a controller is told. Group has no default.
type Options struct {
	// Group is the value of the label [mirror.Group] of all that this controller sees.
	Group string
	// Parts are [Upstream], [Book] or [BookPriority], or a mixture. The zero value is Upstream.
	Parts Parts
	// OwnWrites says what is done about a cache that does not show what the controller has written.
	OwnWrites OwnWrites
	// Workers is how many runs there may be at one time. 2 by default.
	Workers int
	// Limiter says how long a key waits that has failed. The default is chapter 09's, which waits a minute at most;
	// controller-runtime's own goes up to 1000 s.
	Limiter workqueue.TypedRateLimiter[reconcile.Request]
	// SyncTimeout is how long the caches may take to be filled. Then the whole manager ends with an error.
	// controller-runtime's default is two minutes.
	SyncTimeout time.Duration
	// Logger is the manager's. By default it is the program's, [sigs.k8s.io/controller-runtime/pkg/log.Log].
	Logger logr.Logger
	// Observe is called after each run, by the worker, with what came of it. It may be nil.
	Observe func(mirror.Key, error)
}

// OwnWrites is what a run does about what an earlier one has written, and the cache does not show yet. Noted and
// Unnoted pass chapter 09's suite. Awaited does not: it is told by an event of that version or a later one, and waits
// for ever if a list has shown what became of the write, as a list is no event.
type OwnWrites int

const (
	// Noted fails the run, as chapter 09 does it: it comes again, later each time, until the cache is there.
	Noted OwnWrites = iota
	// Awaited has the client wait, in the run, until the cache is there: client.CacheOptions'
	// EnableReadYourWritesConsistency, which is experimental.
	Awaited
	// Unnoted does nothing: the API server refuses what comes of an old read.
	Unnoted
)

func (o Options) defaulted() Options {
	if o.Workers <= 0 {
		o.Workers = 2
	}
	if o.Limiter == nil {
		o.Limiter = workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](5*time.Millisecond,
			time.Minute)
	}
	return o
}
