package reflector

import (
	"context"
	"errors"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientfeatures "k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/watchlist"
	"k8s.io/klog/v2"
)

// Reflector keeps a store equal to what a ListerWatcher lists and watches. Run it once.
//
// Upstream: Reflector, in tools/cache/reflector.go.
type Reflector struct {
	source   cache.ListerWatcherWithContext
	into     cache.ReflectorStore
	expected expected
	options  Options
	standIn  *cache.Reflector // for the watch error handler

	streaming bool // the initial state comes by a streaming list
	paged     bool // the server splits even a list that its watch cache should answer: there is no such cache
	delays    delays
	resyncs   sync.WaitGroup // timers that run; more than one where a panic has left one
}

// New makes a reflector that has not begun. Events of objects of another type than expectedType's do not reach the
// store, nor those of another apiVersion and kind where it is an *unstructured.Unstructured that has them; nil expects
// anything. The objects of a list are what the ListerWatcher says. The store may have more methods:
// cache.ReflectorBookmarkStore, cache.ResourceVersionUpdater, cache.TransformingStore.
//
// Upstream: NewReflectorWithOptions.
func New(lw cache.ListerWatcher, expectedType any, store cache.ReflectorStore, options Options) *Reflector {
	r := &Reflector{
		source:   cache.ToListerWatcherWithContext(lw),
		into:     store,
		expected: expect(expectedType),
		options:  options.complete(),
	}
	if r.options.Name == "" {
		r.options.Name = callSite()
	}
	if r.options.TypeDescription == "" {
		r.options.TypeDescription = r.expected.description
	}
	r.standIn = cache.NewReflectorWithOptions(&cache.ListWatch{}, expectedType, store,
		cache.ReflectorOptions{Name: r.options.Name, TypeDescription: r.options.TypeDescription})
	r.streaming = !options.ListOnly && !watchlist.DoesClientNotSupportWatchListSemantics(lw) &&
		clientfeatures.FeatureGates().Enabled(clientfeatures.WatchListClient)
	r.delays = newDelays(r.options.Clock, *r.options.Backoff)
	return r
}

// Name is what the reflector is called in logs.
func (r *Reflector) Name() string { return r.options.Name }

// TypeDescription is what its objects are called in logs.
func (r *Reflector) TypeDescription() string { return r.options.TypeDescription }

// LastSyncResourceVersion is the version of what the store holds, "" before there is one. Any goroutine may ask.
//
// Upstream: the method of the same name.
func (r *Reflector) LastSyncResourceVersion() string { return r.options.Parts.Versions.Last() }

// RunWithContext keeps the store up to date until ctx ends, and returns at once then, wherever it waits. A call of
// List or Watch that goes on nevertheless is left alone; a watch that it returns late is stopped. No fault of the
// server ends it. A panic, of List, Watch or the store, comes out of it at once.
//
// Upstream: the method of the same name.
func (r *Reflector) RunWithContext(ctx context.Context) {
	if r.options.Logger != nil {
		ctx = klog.NewContext(ctx, *r.options.Logger)
	}
	begin := r.first()
	for ctx.Err() == nil {
		var delay time.Duration
		begin, delay = r.guardedRound(ctx, begin)
		r.sleep(ctx, delay)
	}
	r.resyncs.Wait()
}

// first is what a new reflector does.
func (r *Reflector) first() Doing {
	if r.streaming {
		return Streaming
	}
	return Listing
}

// guardedRound logs a panic, as upstream does, before it goes on its way. Where it is told not to panic any more
// (utilruntime.ReallyCrash), that was a failure like another.
func (r *Reflector) guardedRound(ctx context.Context, begin Doing) (next Doing, delay time.Duration) {
	panicked := true
	defer func() {
		if panicked {
			next, delay = r.first(), r.delays.next(nil)
		}
	}()
	defer utilruntime.HandleCrashWithContext(ctx)
	next, delay = r.round(ctx, begin)
	panicked = false
	return next, delay
}

// outcome is what follows when a kind of request is done with: a request of another kind after a delay. It is empty
// when the request succeeded, and at the end of the context.
type outcome struct {
	next  Next
	delay time.Duration
}

// round gets the initial state and watches from there. It returns what the next round begins with, and after what
// delay.
//
// Upstream: ListAndWatchWithContext.
func (r *Reflector) round(ctx context.Context, begin Doing) (Doing, time.Duration) {
	var stream *accepted // what a streaming list goes on as
	var o outcome
	if begin == Streaming {
		stream, o = r.stream(ctx)
	}
	if stream != nil {
		defer stream.Stop() // also when the context has ended before the first watch
	}
	if begin == Listing || o.next == Fall {
		r.sleep(ctx, o.delay)
		o = r.list(ctx)
	}
	if o.next == "" && ctx.Err() == nil {
		klog.FromContext(ctx).V(2).Info("Caches populated", "type", r.options.TypeDescription,
			"reflector", r.options.Name)
		o = r.watch(ctx, stream)
	}
	if o.next == Fall {
		return Listing, o.delay
	}
	return r.first(), o.delay
}

// try sends a request, again and again while the policy wants that.
func (r *Reflector) try(ctx context.Context, doing Doing, send func() error) outcome {
	for repeated := false; ctx.Err() == nil; repeated = true {
		err := send()
		if err == nil || ctx.Err() != nil {
			break
		}
		decision := r.decide(doing, err)
		if doing == Listing && repeated && decision.Next == Again && !decision.Wait {
			decision = Decision{Next: Restart, Forget: decision.Forget, Wait: true, Tell: true}
		}
		o := r.conclude(ctx, doing, err, decision)
		if o.next != Again {
			return o
		}
		r.sleep(ctx, o.delay)
	}
	return outcome{}
}

// decide asks the policy.
func (r *Reflector) decide(doing Doing, err error) Decision {
	decision := r.options.Parts.Policy(doing, goodOrder(err))
	if decision.Next == "" {
		decision.Next = Restart
	}
	return decision
}

// conclude does what a decision says, but for the delay and the request after it, which it returns.
func (r *Reflector) conclude(ctx context.Context, doing Doing, err error, decision Decision) outcome {
	var delay time.Duration
	if decision.Forget {
		r.options.Parts.Versions.Unavailable()
	}
	if decision.Wait {
		delay = r.delays.next(err)
	}
	r.options.Observer.Decision(doing, goodOrder(err), decision, delay)
	klog.FromContext(ctx).V(4).Info("Request ended", "reflector", r.options.Name, "type", r.options.TypeDescription,
		"doing", doing, "err", err, "next", decision.Next, "delay", delay)
	if decision.Tell {
		r.options.WatchErrorHandler(ctx, r.standIn, err)
	}
	return outcome{decision.Next, delay}
}

// goodOrder is nil for the end of a response in good order, and otherwise the error.
func goodOrder(err error) error {
	if errors.Is(err, ErrEndedEarly) {
		return nil
	}
	return err
}
