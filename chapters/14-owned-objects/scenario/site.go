package scenario

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	writing "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// World is a run's namespace, and somebody who writes there.
type World struct {
	Lab  *lab.Lab
	User client.WithWatch // asks the API server itself

	mapper    meta.RESTMapper
	collected bool // the garbage collector is known to know the kinds
}

// NewWorld installs the book's kinds.
func NewWorld(ctx context.Context, l *lab.Lab) (*World, error) {
	over, err := dynamic.NewForConfigAndClient(before.Config(l), l.HTTPClient())
	if err != nil {
		return nil, err
	}
	if err := install.CRDs(ctx, over); err != nil {
		return nil, err
	}
	user, err := client.NewWithWatch(before.Config(l),
		client.Options{HTTPClient: l.HTTPClient(), Scheme: writing.Known()})
	if err != nil {
		return nil, err
	}
	return &World{Lab: l, User: user, mapper: user.RESTMapper()}, nil
}

// Options are what a Site is made of.
type Options struct {
	Way       Way
	Namespace string
	// Parts are chapter 07's informer and chapter 08's queue, or upstream's.
	Parts managed.Parts
	// Tally counts what is alive. Several Sites may share one.
	Tally *Tally
	// Shown is put between the controller and the API server, and may show what is sent: not while the Site is quiet.
	Shown running.Wrap
	// Late is the resource whose watch can be held; it is "processes" unless it is set.
	Late string
}

// Site is a controller of the ProcessSets of a namespace, under a manager, whose watch can be late.
type Site struct {
	*Gate
	*Wire
	Manager manager.Manager
	Started *running.Running

	line   *Line
	asked  chan struct{} // is closed when a worker asks the line for a key
	quiet  atomic.Bool
	failed atomic.Pointer[error]
	read   atomic.Int64 // since when a list is waited for, in ns, or 0
}

// Start makes one, and returns when it rests: what there is at the beginning brings runs, too, and none of them is to
// be taken for one of later.
func (w *World) Start(ctx context.Context, o Options) (*Site, error) {
	s := &Site{asked: make(chan struct{})}
	if o.Tally == nil {
		o.Tally = NewTally(0)
	}
	if o.Late == "" {
		o.Late = "processes"
	}
	between := []running.Wrap{
		func(next http.RoundTripper) http.RoundTripper { s.Wire = NewWire(next, o.Tally); return s.Wire },
		func(next http.RoundTripper) http.RoundTripper { s.Gate = NewGate(next, o.Late); return s.Gate },
	}
	if o.Shown != nil {
		between = append(between, func(next http.RoundTripper) http.RoundTripper {
			return &shown{next: next, aloud: o.Shown(next), quiet: &s.quiet}
		})
	}
	m, err := manager.New(running.Access(w.Lab, between...), w.options(o))
	if err != nil {
		return nil, err
	}
	s.Manager = m
	for _, of := range []client.Object{&v1alpha1.Process{}, &v1alpha1.ProcessSet{}} { // or nothing is waited for
		if _, err := m.GetCache().GetInformer(ctx, of, cache.BlockUntilSynced(false)); err != nil {
			return nil, err
		}
	}
	parts := o.Way.Parts()
	if o.Way.Versions {
		if parts.Memory, err = versionsOf(ctx, m); err != nil {
			return nil, err
		}
	}
	over := m.GetClient()
	if o.Way.ReadYourWrites { // the others' lists wait for nothing, and one that takes long is a machine that is busy
		over = waiting{over, s}
	}
	reconciler := owned.New(over, m.GetAPIReader(), parts)
	setup := controller.Options{NewQueue: s.newQueue(o.Parts), Reconciler: reconcile.Func(
		func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
			result, err := reconciler.Reconcile(ctx, r)
			if err != nil {
				s.failed.Store(&err)
			}
			return result, err
		})}
	if err := reconciler.Setup(m, "processset", setup); err != nil {
		return nil, err
	}
	return s, s.start(ctx)
}

// start returns when the controller has seen what there is, and rests.
func (s *Site) start(ctx context.Context) error {
	s.Started = running.Run(ctx, s.Manager.Start)
	if !s.Manager.GetCache().WaitForCacheSync(ctx) {
		return fmt.Errorf("the caches were not filled: %w", s.Started.Stop())
	}
	select {
	case <-s.asked:
	case <-s.Started.Ended():
		return fmt.Errorf("the controller did not start: %w", s.Started.Stop())
	}
	if err := Until(ctx, s.Rests); err != nil {
		return withErr(err, s.Started.Stop())
	}
	return nil
}

// options are those of a manager whose cache has one namespace. It is selected by a field: a cache of several
// namespaces has no store to ask for its version.
func (w *World) options(o Options) manager.Options {
	here := cache.ByObject{Field: fields.OneTermEqualSelector("metadata.namespace", o.Namespace)}
	options := manager.Options{Scheme: writing.Known(), Metrics: server.Options{BindAddress: "0"},
		Controller:     config.Controller{SkipNameValidation: ptr.To(true)},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return w.mapper, nil },
		Cache: cache.Options{NewInformer: running.Drained(o.Parts.NewInformer),
			ByObject: map[client.Object]cache.ByObject{&v1alpha1.Process{}: here, &v1alpha1.ProcessSet{}: here}}}
	if o.Way.ReadYourWrites {
		options.Client.Cache = &client.CacheOptions{EnableReadYourWritesConsistency: ptr.To(true)}
	}
	return options
}

// versionsOf is a memory of versions over a manager's caches.
func versionsOf(ctx context.Context, m manager.Manager) (owned.Memory, error) {
	var at [2]owned.Synced
	for i, of := range []client.Object{&v1alpha1.Process{}, &v1alpha1.ProcessSet{}} {
		informer, err := m.GetCache().GetInformer(ctx, of, cache.BlockUntilSynced(false))
		if err != nil {
			return nil, err
		}
		shared, ok := informer.(toolscache.SharedIndexInformer)
		if !ok {
			return nil, fmt.Errorf("%T has no store: a cache of several namespaces has one informer for each", informer)
		}
		at[i] = shared.GetStore().LastStoreSyncResourceVersion
	}
	return owned.NewConsistency(at[0], at[1]), nil
}

// newQueue makes the controller's queue. It takes no priorities, which would be another way to add a key.
func (s *Site) newQueue(parts managed.Parts) func(string, workqueue.TypedRateLimiter[reconcile.Request]) managed.Queue {
	return func(name string, limiter workqueue.TypedRateLimiter[reconcile.Request]) managed.Queue {
		var inner managed.Queue
		if parts.NewQueue != nil {
			inner = parts.NewQueue(name, limiter)
		} else {
			inner = priorityqueue.New(name,
				func(o *priorityqueue.Opts[reconcile.Request]) { o.RateLimiter = limiter })
		}
		s.line = NewLine(inner, s.Requests, func() { close(s.asked) })
		return s.line
	}
}

// Stop ends the controller.
func (s *Site) Stop() error {
	s.Open()
	return s.Started.Stop()
}

// Runs is how many runs there were.
func (s *Site) Runs() int { return s.line.Runs() }

// Failed is what the last run that failed has returned, or nil.
func (s *Site) Failed() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Added is how many events have led to a run, or will.
func (s *Site) Added() int { return s.line.Added() }

// Quiet has it send without a word, or no longer.
func (s *Site) Quiet(quiet bool) { s.quiet.Store(quiet) }

// shown is a transport that shows what is sent, or not.
type shown struct {
	next, aloud http.RoundTripper
	quiet       *atomic.Bool
}

// RoundTrip implements http.RoundTripper.
func (s *shown) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.quiet.Load() {
		return s.next.RoundTrip(r)
	}
	return s.aloud.RoundTrip(r)
}

// waitsToRead is how long a list from a cache takes only if it waits for something.
const waitsToRead = 300 * time.Millisecond

// Rests says whether the controller has nothing to do, until its cache shows more.
func (s *Site) Rests() bool {
	if since := s.read.Load(); since != 0 && time.Since(time.Unix(0, since)) > waitsToRead {
		return true
	}
	return s.line.Rests()
}

// Rest waits until the controller rests, when something was done that leads to a run.
func (s *Site) Rest(ctx context.Context, do func() error) error {
	added := s.line.Added()
	if err := do(); err != nil {
		return err
	}
	return Until(ctx, func() bool { return s.line.Added() > added && s.Rests() })
}

// Next lets one event through, and waits until the controller rests.
func (s *Site) Next(ctx context.Context) error {
	return s.Rest(ctx, func() error {
		err := Until(ctx, func() bool { return s.Held() > 0 })
		s.Step()
		return err
	})
}

// Until waits until something is so.
func Until(ctx context.Context, so func() bool) error {
	for ticks := time.NewTicker(2 * time.Millisecond); ; {
		if so() {
			ticks.Stop()
			return nil
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			ticks.Stop()
			return context.Cause(ctx)
		}
	}
}

// waiting is a client that says since when a list is waited for.
type waiting struct {
	client.Client
	site *Site
}

// List implements client.Reader.
func (w waiting) List(ctx context.Context, list client.ObjectList, options ...client.ListOption) error {
	w.site.read.Store(time.Now().UnixNano())
	defer w.site.read.Store(0)
	return w.Client.List(ctx, list, options...)
}

// Set is a ProcessSet whose Processes sleep.
func Set(namespace, name string, replicas int32) *v1alpha1.ProcessSet {
	app := map[string]string{"app": name}
	return &v1alpha1.ProcessSet{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: v1alpha1.ProcessSetSpec{Replicas: &replicas, Selector: app,
			Template: v1alpha1.ProcessTemplate{Labels: app,
				Spec: v1alpha1.ProcessSpec{Command: "sleep", Args: []string{"60"}}}}}
}
