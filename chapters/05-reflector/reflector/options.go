package reflector

import (
	"math"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// Options are what a reflector can be told. The zero value is upstream's reflector.
//
// Upstream: ReflectorOptions, and the exported fields of Reflector, in tools/cache/reflector.go.
type Options struct {
	// Name is what the reflector is called in logs. By default it is the file and line of New's caller.
	Name string
	// TypeDescription is what the objects are called in logs. By default it follows from the expected type.
	TypeDescription string

	// ResyncPeriod is the time from the initial state to the first resync, and from each resync to the next; none if 0.
	ResyncPeriod time.Duration
	// ShouldResync is asked each time. If nil, the answer is yes.
	ShouldResync func() bool

	// ListOnly turns streaming lists off. They are off, too, where the ListerWatcher says that it does not support them
	// (watchlist.DoesClientNotSupportWatchListSemantics), and where client-go's feature WatchListClient is off.
	ListOnly bool
	// PageSize is how many objects a page of a list has at most. If 0, it is client-go's 500 where a list is at no
	// version or at "0", and otherwise lists have no pages: a page at a version is of exactly that version.
	PageSize int64
	// MinWatchTimeout is how long the server is asked to keep a watch open: a random time from it to its double. It is
	// at least 5 minutes, whatever is set here.
	MinWatchTimeout time.Duration
	// Backoff says how long to wait after a failure. It is used as a template, and starts anew after 2 minutes without
	// a failure. If nil: 0.8 s, doubled up to 30 s, and up to as much again at random.
	Backoff *wait.Backoff
	// MaxInternalErrorRetryDuration is how long a watch that ends with internal errors (500) is opened again at once,
	// whatever the policy says. The time begins with the first of them; a minute without one ends the series.
	MaxInternalErrorRetryDuration time.Duration

	// WatchErrorHandler hears of the failures that the policy wants told. Its *cache.Reflector has the name and the
	// type description, and runs nothing. By default it is cache.DefaultWatchErrorHandler, which logs.
	WatchErrorHandler cache.WatchErrorHandlerWithContext
	// Logger is used instead of that of the context that the reflector runs with.
	Logger *klog.Logger
	// Clock is the time. By default it is the real one.
	Clock clock.Clock

	// Observer sees what the reflector does.
	Observer Observer
	// Parts replace pieces of the reflector.
	Parts Parts
}

// Observer sees requests and decisions. A function that is nil is not called. What a reflector writes is seen by a
// store that wraps another.
type Observer struct {
	// Request is called before each request: Streaming, Opening, and Listing for each page. The pages of a list come
	// from another goroutine than the rest, while that one waits.
	Request func(doing Doing, options metav1.ListOptions)
	// Decision is called when a request has ended, before the delay. err is nil where a response ended in good order.
	Decision func(doing Doing, err error, decision Decision, delay time.Duration)
}

// minWatchTimeout is the least that a watch is asked to last: long enough to be no load. Upstream:
// defaultMinWatchTimeout.
const minWatchTimeout = 5 * time.Minute

// defaultBackoff has upstream's numbers.
func defaultBackoff() *wait.Backoff {
	const first, longest = 800 * time.Millisecond, 30 * time.Second
	return &wait.Backoff{Duration: first, Cap: longest, Factor: 2, Jitter: 1, Steps: math.MaxInt}
}

// complete fills in what was left out.
func (o Options) complete() Options {
	o.MinWatchTimeout = max(o.MinWatchTimeout, minWatchTimeout)
	if o.Backoff == nil {
		o.Backoff = defaultBackoff()
	}
	if o.WatchErrorHandler == nil {
		o.WatchErrorHandler = cache.DefaultWatchErrorHandler
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if o.Observer.Request == nil {
		o.Observer.Request = func(Doing, metav1.ListOptions) {}
	}
	if o.Observer.Decision == nil {
		o.Observer.Decision = func(Doing, error, Decision, time.Duration) {}
	}
	if o.Parts.Policy == nil {
		o.Parts.Policy = Decide
	}
	if o.Parts.Versions == nil {
		o.Parts.Versions = NewVersions()
	}
	if o.Parts.Initial == nil {
		o.Parts.Initial = ReadInitial
	}
	return o
}
