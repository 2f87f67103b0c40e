package informertest

import (
	"context"
	"errors"
	goruntime "runtime"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
)

// whole is client-go's informer, and what it was made of. Each of the informers below breaks one thing of it.
type whole struct {
	cache.SharedIndexInformer
	source  cache.ListerWatcher
	options cache.SharedIndexInformerOptions
}

// from makes informers from client-go's.
func from(breaks func(w whole) cache.SharedIndexInformer) New {
	return func(lw cache.ListerWatcher, example runtime.Object,
		o cache.SharedIndexInformerOptions) cache.SharedIndexInformer {
		return breaks(whole{cache.NewSharedIndexInformerWithOptions(lw, example, o), lw, o})
	}
}

// broken is an informer that adds handlers, removes them, or runs in another way, where it says so.
type broken struct {
	whole
	add    func(listener, cache.HandlerOptions) (registration, error)
	remove func(registration) error
	run    func(ctx context.Context)
}

// What is said often here.
type (
	listener     = cache.ResourceEventHandler
	registration = cache.ResourceEventHandlerRegistration
	shutter      = interface{ ShutdownChan() <-chan struct{} }
)

func (b broken) AddEventHandler(h listener) (registration, error) {
	return b.AddEventHandlerWithOptions(h, cache.HandlerOptions{})
}

func (b broken) AddEventHandlerWithResyncPeriod(h listener, period time.Duration) (registration, error) {
	return b.AddEventHandlerWithOptions(h, cache.HandlerOptions{ResyncPeriod: &period})
}

func (b broken) AddEventHandlerWithOptions(h listener, o cache.HandlerOptions) (registration, error) {
	if b.add == nil {
		return b.whole.AddEventHandlerWithOptions(h, o)
	}
	return b.add(h, o)
}

func (b broken) RemoveEventHandler(handle registration) error {
	if r, ok := handle.(*registered); ok {
		handle = r.registration
	}
	if b.remove == nil {
		return b.whole.RemoveEventHandler(handle)
	}
	return b.remove(handle)
}

func (b broken) RunWithContext(ctx context.Context) {
	if b.run == nil {
		b.whole.RunWithContext(ctx)
	} else {
		b.run(ctx)
	}
}

// registered says something else than its registration.
type registered struct {
	registration
	synced   cache.DoneChecker
	shutdown <-chan struct{}
}

func (r *registered) HasSynced() bool { return cache.IsDone(r.synced) }

func (r *registered) HasSyncedChecker() cache.DoneChecker { return r.synced }

func (r *registered) ShutdownChan() <-chan struct{} { return r.shutdown }

// registering changes what registrations say.
func registering(change func(w whole, r *registered)) New {
	return from(func(w whole) cache.SharedIndexInformer {
		return broken{whole: w, add: func(h listener, o cache.HandlerOptions) (registration, error) {
			handle, err := w.AddEventHandlerWithOptions(h, o)
			if err != nil {
				return nil, err
			}
			r := &registered{handle, handle.HasSyncedChecker(), handle.(shutter).ShutdownChan()}
			change(w, r)
			return r, nil
		}}
	})
}

// asking changes what a handler asks for.
func asking(change func(o *cache.HandlerOptions)) New {
	return from(func(w whole) cache.SharedIndexInformer {
		return broken{whole: w, add: func(h listener, o cache.HandlerOptions) (registration, error) {
			change(&o)
			return w.AddEventHandlerWithOptions(h, o)
		}}
	})
}

// telling changes what a handler is told.
func telling(change func(h listener) told) New {
	return from(func(w whole) cache.SharedIndexInformer {
		return broken{whole: w, add: func(h listener, o cache.HandlerOptions) (registration, error) {
			t := change(h)
			t.listener = h
			return w.AddEventHandlerWithOptions(t, o)
		}}
	})
}

// told is a handler that is told something else, where it says so.
type told struct {
	listener
	add    func(obj any, isInInitialList bool)
	update func(old, obj any)
	delete func(obj any)
}

func (t told) OnAdd(obj any, isInInitialList bool) {
	if t.add == nil {
		t.listener.OnAdd(obj, isInInitialList)
	} else {
		t.add(obj, isInInitialList)
	}
}

func (t told) OnUpdate(old, obj any) {
	if t.update == nil {
		t.listener.OnUpdate(old, obj)
	} else {
		t.update(old, obj)
	}
}

func (t told) OnDelete(obj any) {
	if t.delete == nil {
		t.listener.OnDelete(obj)
	} else {
		t.delete(obj)
	}
}

// calling has a function make all calls.
func calling(h listener, do func(call func())) told {
	return told{h,
		func(obj any, isInInitialList bool) { do(func() { h.OnAdd(obj, isInInitialList) }) },
		func(old, obj any) { do(func() { h.OnUpdate(old, obj) }) },
		func(obj any) { do(func() { h.OnDelete(obj) }) },
	}
}

// parallel makes each call in a goroutine of its own. A handler that panics is not its fault.
func parallel(h listener) told {
	return calling(h, func(call func()) {
		go func() {
			defer func() { recover() }()
			call()
		}()
	})
}

// initially changes the adds of the initial list.
func initially(change func(h listener, obj any)) New {
	return telling(func(h listener) told {
		return told{add: func(obj any, isInInitialList bool) {
			if isInInitialList {
				change(h, obj)
			} else {
				h.OnAdd(obj, false)
			}
		}}
	})
}

// late changes what handlers are told that join while the informer runs.
func late(change func(h listener) told) New {
	return from(func(w whole) cache.SharedIndexInformer {
		return broken{whole: w, add: func(h listener, o cache.HandlerOptions) (registration, error) {
			if w.HasSynced() {
				t := change(h)
				t.listener = h
				h = t
			}
			return w.AddEventHandlerWithOptions(h, o)
		}}
	})
}

func twice(h listener) told {
	return told{add: func(obj any, isInInitialList bool) {
		h.OnAdd(obj, isInInitialList)
		if isInInitialList {
			h.OnAdd(obj, false)
		}
	}}
}

func onlyNews(h listener) told {
	return told{add: func(obj any, isInInitialList bool) {
		if !isInInitialList {
			h.OnAdd(obj, false)
		}
	}}
}

// apart makes a deletion and an addition of an update from one object to another.
func apart(h listener) told {
	return told{update: func(old, obj any) {
		if last(old).UID != last(obj).UID {
			h.OnDelete(old)
			h.OnAdd(obj, false)
		} else {
			h.OnUpdate(old, obj)
		}
	}}
}

// stale is told of the object itself where nobody saw the deletion.
func stale(h listener) told {
	return told{delete: func(obj any) { h.OnDelete(last(obj)) }}
}

// stateless forgets what a tombstone knows.
func stateless(h listener) told {
	return told{delete: func(obj any) {
		if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			obj = cache.DeletedFinalStateUnknown{Key: t.Key}
		}
		h.OnDelete(obj)
	}}
}

// again calls a handler again that has panicked.
func again(h listener) told {
	return calling(h, func(call func()) {
		defer func() {
			if recover() != nil {
				call()
			}
		}()
		call()
	})
}

// givenUp is a handler that has panicked.
func givenUp(h listener) told {
	dead := false
	return calling(h, func(call func()) {
		if !dead {
			dead = true
			call()
			dead = false
		}
	})
}

// oneAtATime calls one handler at a time, of all that there are.
func oneAtATime(w whole) cache.SharedIndexInformer {
	lock := make(chan struct{}, 1)
	return broken{whole: w, add: func(h listener, o cache.HandlerOptions) (registration, error) {
		return w.AddEventHandlerWithOptions(calling(h, func(call func()) {
			lock <- struct{}{}
			defer func() { <-lock }()
			call()
		}), o)
	}}
}

// deafWhileJoining tells a handler nothing of what happens before AddEventHandler has returned, but what is initial.
// It takes its time for that, so that something happens.
func deafWhileJoining(w whole) cache.SharedIndexInformer {
	return broken{whole: w, add: func(h listener, o cache.HandlerOptions) (registration, error) {
		joined := make(chan struct{})
		defer func() {
			for range 1000 {
				goruntime.Gosched()
			}
			close(joined)
		}()
		t := calling(h, func(call func()) {
			select {
			case <-joined:
				call()
			default:
			}
		})
		news := t.add
		t.add = func(obj any, isInInitialList bool) {
			if isInInitialList {
				h.OnAdd(obj, true)
			} else {
				news(obj, false)
			}
		}
		return w.AddEventHandlerWithOptions(t, o)
	}}
}

// leaking has a goroutine for each handler, which stays as long as the informer.
func leaking(w whole) cache.SharedIndexInformer {
	stopped, stop := context.WithCancel(context.Background())
	return broken{whole: w, add: func(h listener, o cache.HandlerOptions) (registration, error) {
		go func() { <-stopped.Done() }()
		return w.AddEventHandlerWithOptions(h, o)
	}, run: func(ctx context.Context) {
		defer stop()
		w.RunWithContext(ctx)
	}}
}

// dying stops when an index function has panicked.
func dying(lw cache.ListerWatcher, example runtime.Object,
	o cache.SharedIndexInformerOptions) cache.SharedIndexInformer {
	dead, die := context.WithCancel(context.Background())
	given := o.Indexers["given"]
	o.Indexers = cache.Indexers{"given": func(obj any) ([]string, error) {
		alive := false
		defer func() {
			if !alive {
				die()
			}
		}()
		values, err := given(obj)
		alive = true
		return values, err
	}}
	i := cache.NewSharedIndexInformerWithOptions(lw, example, o)
	return broken{whole: whole{i, lw, o}, run: func(ctx context.Context) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(dead, cancel)()
		i.RunWithContext(ctx)
	}}
}

// acceptsHandlers has a handler always added, if to no effect.
func acceptsHandlers(w whole) cache.SharedIndexInformer {
	return broken{whole: w, add: func(h listener, o cache.HandlerOptions) (registration, error) {
		handle, err := w.AddEventHandlerWithOptions(h, o)
		if err != nil {
			return &registered{synced: w.HasSyncedChecker()}, nil
		}
		return handle, nil
	}}
}

// removing removes handlers in another way.
func removing(remove func(w whole, handle registration) error) New {
	return from(func(w whole) cache.SharedIndexInformer {
		return broken{whole: w, remove: func(handle registration) error { return remove(w, handle) }}
	})
}

// removingOnce does not know a handler any more that was removed.
func removingOnce() New {
	var removed sync.Map
	return removing(func(w whole, handle registration) error {
		if _, again := removed.LoadOrStore(handle, true); again {
			return errors.New("no such handler")
		}
		return w.RemoveEventHandler(handle)
	})
}

func removesWhatever(w whole, handle registration) error {
	w.RemoveEventHandler(handle)
	return nil
}

func removesAndWaits(w whole, handle registration) error {
	if _, known := handle.(shutter); !known {
		return w.RemoveEventHandler(handle)
	}
	return cache.ShutDownEventHandler(w, handle)
}

// running runs in another way.
func running(run func(w whole, ctx context.Context)) New {
	return from(func(w whole) cache.SharedIndexInformer {
		return broken{whole: w, run: func(ctx context.Context) { run(w, ctx) }}
	})
}

// asksTheServer sends a request with each resync.
func asksTheServer(w whole, ctx context.Context) {
	go func() {
		for ctx.Err() == nil && w.options.ResyncPeriod > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(w.options.ResyncPeriod):
				cache.ToListerWithContext(w.source).ListWithContext(ctx, metav1.ListOptions{})
			}
		}
	}()
	w.RunWithContext(ctx)
}

func returnsAtOnce(w whole, ctx context.Context) {
	go w.RunWithContext(ctx)
	<-ctx.Done()
}

func staysWithTheFirst(w whole, ctx context.Context) {
	w.RunWithContext(ctx)
	<-ctx.Done()
}

// checker is done when its channel is closed.
type checker chan struct{}

func (checker) Name() string { return "the checker of a test" }

func (c checker) Done() <-chan struct{} { return c }

var always = func() checker { c := make(checker); close(c); return c }()

// settling syncs in another way.
type settling struct {
	broken
	checker cache.DoneChecker
}

func (s settling) HasSynced() bool { return cache.IsDone(s.checker) }

func (s settling) HasSyncedChecker() cache.DoneChecker { return s.checker }

// overWhenStopped lets go who waits for the sync of an informer that stops.
func overWhenStopped(w whole) cache.SharedIndexInformer {
	over := make(checker)
	var once sync.Once
	return settling{broken{whole: w, run: func(ctx context.Context) {
		once.Do(func() {
			go func() {
				defer close(over)
				select {
				case <-w.HasSyncedChecker().Done():
				case <-ctx.Done():
				}
			}()
		})
		w.RunWithContext(ctx)
	}}, over}
}

// storing has another store.
type storing struct {
	whole
	store   cache.Store
	indexer cache.Indexer
}

func (s storing) GetStore() cache.Store { return s.store }

func (s storing) GetIndexer() cache.Indexer { return s.indexer }

// writesLater tells handlers, and then changes the store.
func writesLater(lw cache.ListerWatcher, example runtime.Object,
	o cache.SharedIndexInformerOptions) cache.SharedIndexInformer {
	store := cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, o.Indexers)
	o.Indexers = cache.Indexers{}
	w := whole{cache.NewSharedIndexInformerWithOptions(lw, example, o), lw, o}
	later := func(write func(any) error, obj any) {
		untilAllWait()
		write(obj)
	}
	w.AddEventHandler(told{nil,
		func(obj any, _ bool) { later(store.Add, obj) },
		func(_, obj any) { later(store.Update, obj) },
		func(obj any) { later(store.Delete, obj) }})
	return storing{w, store, store}
}

// hasTwoStores has one that is always empty.
func hasTwoStores(w whole) cache.SharedIndexInformer {
	return storing{w, cache.NewStore(cache.MetaNamespaceKeyFunc), w.GetIndexer()}
}

// tooLate takes them when it runs, and does nothing with them.
type tooLate struct{ whole }

func (t tooLate) SetTransform(f cache.TransformFunc) error {
	t.whole.SetTransform(f)
	return nil
}

// transformsLate transforms what it tells, and not what it stores.
type transformsLate struct {
	broken
	transform *cache.TransformFunc
}

func newTransformsLate(w whole) cache.SharedIndexInformer {
	change := new(cache.TransformFunc)
	*change = func(obj any) (any, error) { return obj, nil }
	changed := func(obj any) any {
		if c, ok := obj.(*corev1.ConfigMap); ok {
			obj, _ = (*change)(c.DeepCopy())
		}
		return obj
	}
	b := broken{whole: w, add: func(h listener, o cache.HandlerOptions) (registration, error) {
		return w.AddEventHandlerWithOptions(told{nil,
			func(obj any, isInInitialList bool) { h.OnAdd(changed(obj), isInInitialList) },
			func(old, obj any) { h.OnUpdate(changed(old), changed(obj)) },
			func(obj any) { h.OnDelete(changed(obj)) }}, o)
	}}
	return transformsLate{b, change}
}

func (t transformsLate) SetTransform(f cache.TransformFunc) error {
	*t.transform = f
	return nil
}

// deaf does not pass on who listens to errors.
type deaf struct{ whole }

func (deaf) SetWatchErrorHandlerWithContext(cache.WatchErrorHandlerWithContext) error { return nil }

// fixed takes no index while it runs.
type fixed struct{ whole }

func (f fixed) AddIndexers(indexers cache.Indexers) error {
	if f.HasSynced() {
		return errors.New("informer has already started")
	}
	return f.whole.AddIndexers(indexers)
}

// unstoppable never says that it has stopped.
type unstoppable struct{ whole }

func (unstoppable) IsStopped() bool { return false }

// with is this book's informer with a part that is broken.
func with(breaks func(*informer.Parts)) New {
	return func(lw cache.ListerWatcher, example runtime.Object,
		o cache.SharedIndexInformerOptions) cache.SharedIndexInformer {
		var parts informer.Parts
		breaks(&parts)
		return informer.New(lw, example,
			informer.Options{ResyncPeriod: o.ResyncPeriod, Indexers: o.Indexers, Parts: parts})
	}
}

// buffering changes what has gathered for a handler.
func buffering(change func([]informer.Notification) []informer.Notification) New {
	return with(func(p *informer.Parts) {
		p.Buffer = func(in <-chan informer.Notification, out chan<- []informer.Notification) {
			between := make(chan []informer.Notification)
			go informer.Pump(in, between)
			defer close(out)
			for n := range between {
				out <- change(n)
			}
		}
	})
}

func latest(n []informer.Notification) []informer.Notification { return n[len(n)-1:] }

func backwards(n []informer.Notification) []informer.Notification {
	slices.Reverse(n)
	return n
}

// listing has a re-list processed in pieces, after a change of theirs.
func listing(change func(pieces cache.Deltas)) New {
	return with(func(p *informer.Parts) {
		var known cache.Indexer
		p.Store = func(key cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
			known = cache.NewIndexer(key, indexers)
			return known
		}
		p.Controller = func(c *cache.Config) cache.Controller {
			process := c.Process
			c.Process = func(obj any, isInInitialList bool) (err error) {
				pieces := obj.(cache.Deltas)
				if all, ok := pieces[0].Object.(cache.ReplacedAllInfo); ok {
					pieces = inPieces(all, known)
					change(pieces)
				}
				for _, d := range pieces {
					err = errors.Join(err, process(cache.Deltas{d}, isInInitialList))
					untilAllWait()
				}
				return err
			}
			return informer.NewController(c)
		}
	})
}

// inPieces are the deletions and the objects of a re-list.
func inPieces(all cache.ReplacedAllInfo, known cache.Indexer) (pieces cache.Deltas) {
	listed := map[string]bool{}
	for _, obj := range all.Objects {
		listed["default/"+last(obj).Name] = true
	}
	for _, obj := range known.List() {
		if key := "default/" + last(obj).Name; !listed[key] {
			gone := cache.DeletedFinalStateUnknown{Key: key, Obj: obj}
			pieces = append(pieces, cache.Delta{Type: cache.Deleted, Object: gone})
		}
	}
	for _, obj := range all.Objects {
		pieces = append(pieces, cache.Delta{Type: cache.Replaced, Object: obj})
	}
	return pieces
}

// unmarked is a queue that does not hear of bookmarks.
type unmarked struct{ cache.QueueWithBatch }

func (unmarked) Bookmark(string) error { return nil }

func newUnmarked(p *informer.Parts) {
	p.Queue = func(o cache.RealFIFOOptions) cache.Queue { return unmarked{cache.NewRealFIFOWithOptions(o)} }
}

func newTooLate(w whole) cache.SharedIndexInformer { return tooLate{w} }

func newDeaf(w whole) cache.SharedIndexInformer { return deaf{w} }

func newFixed(w whole) cache.SharedIndexInformer { return fixed{w} }

func newUnstoppable(w whole) cache.SharedIndexInformer { return unstoppable{w} }
