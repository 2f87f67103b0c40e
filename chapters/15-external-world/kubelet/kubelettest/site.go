package kubelettest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
)

// The names on a site.
const (
	Namespace = "default"
	Name      = "mine" // the machine's
)

// Site is an API server, a machine, and a cache that shows what has happened on the server a while later. It belongs
// into a bubble. Controllers come and go on it: see [Site.Begin].
type Site struct {
	Client  client.WithWatch // a user's
	Machine *Machine
	Lag     time.Duration                         // of the cache
	Spoil   func(kubelet.Machine) kubelet.Machine // stands before the machine of each controller, if it is not nil
	Before  Before                                // makes what stands before each kubelet, if it is not nil

	t    testing.TB
	stop context.CancelFunc

	lock    sync.Mutex // guards what follows
	uids    int
	saves   int
	shown   map[client.ObjectKey]*v1alpha1.Process
	hears   map[*Controller]bool
	changes []change
	wake    chan struct{}
}

// Before makes a reconciler that stands before a kubelet: a later chapter's. Over reads from the cache.
type Before func(k *kubelet.Kubelet, g *Gate, over client.Client) reconcile.Reconciler

// change is what the cache is to show, and when.
type change struct {
	kind watch.EventType
	p    *v1alpha1.Process
	at   time.Time
}

// NewSite makes one without objects. Its goroutines end with the test, or by Close.
func NewSite(t testing.TB, lag time.Duration) *Site {
	t.Helper()
	known := runtime.NewScheme()
	require.NoError(t, v1alpha1.AddToScheme(known))
	s := &Site{Machine: NewMachine(), Lag: lag, t: t, shown: map[client.ObjectKey]*v1alpha1.Process{},
		hears: map[*Controller]bool{}, wake: make(chan struct{}, 1)}
	inner := fake.NewClientBuilder().WithScheme(known).WithStatusSubresource(&v1alpha1.Process{}).Build()
	s.Client = interceptor.NewClient(inner, interceptor.Funcs{Create: s.create})
	events, err := inner.Watch(t.Context(), &v1alpha1.ProcessList{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var works sync.WaitGroup
	works.Go(func() { s.hear(events) })
	works.Go(func() { s.show(ctx) })
	s.stop = func() { cancel(); events.Stop(); works.Wait() }
	return s
}

// Close ends the cache. Controllers are to be stopped before.
func (s *Site) Close() { s.stop() }

// create gives an object what the server gives it.
func (s *Site) create(ctx context.Context, over client.WithWatch, o client.Object,
	options ...client.CreateOption) error {
	s.lock.Lock()
	s.uids++
	o.SetUID(types.UID(fmt.Sprint("uid-", s.uids)))
	s.lock.Unlock()
	o.SetGeneration(1)
	return over.Create(ctx, o, options...)
}

// hear takes what happens from the server, which does not wait.
func (s *Site) hear(events watch.Interface) {
	for e := range events.ResultChan() {
		p, ok := e.Object.(*v1alpha1.Process)
		if !ok {
			continue
		}
		s.lock.Lock()
		s.changes = append(s.changes, change{e.Type, p.DeepCopy(), time.Now().Add(s.Lag)})
		s.lock.Unlock()
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}

// show shows each change when its time has come.
func (s *Site) show(ctx context.Context) {
	for {
		s.lock.Lock()
		var next *change
		if len(s.changes) > 0 {
			next, s.changes = &s.changes[0], s.changes[1:]
		}
		s.lock.Unlock()
		if next == nil {
			select {
			case <-s.wake:
				continue
			case <-ctx.Done():
				return
			}
		}
		select {
		case <-time.After(time.Until(next.at)):
		case <-ctx.Done():
			return
		}
		s.reveal(*next)
	}
}

// reveal puts a change into the cache, and tells those who listen.
func (s *Site) reveal(c change) {
	s.lock.Lock()
	defer s.lock.Unlock()
	key := client.ObjectKeyFromObject(c.p)
	before := s.shown[key]
	if c.kind == watch.Deleted {
		delete(s.shown, key)
	} else {
		s.shown[key] = c.p
	}
	for listener := range s.hears {
		listener.heard(before, s.shown[key])
	}
}

// cached is a client that reads from the cache.
func (s *Site) cached() client.WithWatch {
	return interceptor.NewClient(s.Client, interceptor.Funcs{
		Get: func(_ context.Context, _ client.WithWatch, at client.ObjectKey, o client.Object,
			_ ...client.GetOption) error {
			s.lock.Lock()
			defer s.lock.Unlock()
			p, ok := o.(*v1alpha1.Process)
			if !ok || s.shown[at] == nil {
				return apierrors.NewNotFound(schema.GroupResource{Resource: "processes"}, at.Name)
			}
			s.shown[at].DeepCopyInto(p)
			return nil
		},
		SubResourcePatch: func(ctx context.Context, over client.Client, sub string, o client.Object, p client.Patch,
			options ...client.SubResourcePatchOption) error {
			s.lock.Lock()
			s.saves++
			s.lock.Unlock()
			return over.SubResource(sub).Patch(ctx, o, p, options...)
		},
	})
}

// Saves are how many times controllers have sent a status.
func (s *Site) Saves() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.saves
}

// Controller is a kubelet that works on a site.
type Controller struct {
	Kubelet *kubelet.Kubelet
	Gate    *Gate

	site    *Site
	queue   workqueue.TypedRateLimitingInterface[reconcile.Request]
	cancel  context.CancelFunc
	stopped chan struct{}
	err     error
}

// Begin has a new controller work on the site, behind a gate.
func (s *Site) Begin(o kubelet.Options, g *Gate) *Controller {
	s.t.Helper()
	o.Name, o.Namespace = Name, Namespace
	c := &Controller{Gate: g, site: s, stopped: make(chan struct{})}
	m := g.Machine(s.Machine)
	if s.Spoil != nil {
		m = s.Spoil(m)
	}
	over := g.Client(s.cached())
	c.Kubelet = kubelet.New(over, m, o)
	var runs reconcile.Reconciler = c.Kubelet
	if s.Before != nil {
		runs = s.Before(c.Kubelet, g, over)
	}
	inner, err := controller.NewUnmanaged("kubelet", controller.Options{Reconciler: runs,
		MaxConcurrentReconciles: 2, SkipNameValidation: ptr.To(true), RecoverPanic: ptr.To(false),
		Logger: logr.Discard()})
	require.NoError(s.t, err)
	require.NoError(s.t, inner.Watch(c.Kubelet))
	require.NoError(s.t, inner.Watch(source.Func(c.listen)))
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	go func() {
		defer close(c.stopped)
		c.err = inner.Start(ctx)
		c.Kubelet.Stop()
	}()
	return c
}

// Stop stops a controller, and returns when nothing of it goes on. What it fails with, if it was not killed, is an
// error of the test.
func (c *Controller) Stop() {
	c.site.t.Helper()
	c.site.lock.Lock()
	delete(c.site.hears, c)
	c.site.lock.Unlock()
	c.cancel()
	<-c.stopped
	if c.err != nil && !errors.Is(c.err, ErrKilled) {
		c.site.t.Errorf("the controller has failed: %v", c.err)
	}
}

// Kill ends a controller as SIGKILL does.
func (c *Controller) Kill() {
	c.Gate.Kill()
	c.Stop()
}

// listen implements source.Func: first all that the cache has, then what comes.
func (c *Controller) listen(_ context.Context, q workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	c.site.lock.Lock()
	defer c.site.lock.Unlock()
	c.queue = q
	c.site.hears[c] = true
	for _, p := range c.site.shown {
		c.heard(nil, p)
	}
	return nil
}

// heard adds the key of what has changed, if the kubelet wants to know.
func (c *Controller) heard(before, after *v1alpha1.Process) {
	passes, key := false, client.ObjectKey{}
	switch changes := c.Kubelet.Changes(); {
	case after == nil && before == nil:
	case after == nil:
		passes, key = changes.Delete(event.DeleteEvent{Object: before}), client.ObjectKeyFromObject(before)
	case before == nil:
		passes, key = changes.Create(event.CreateEvent{Object: after}), client.ObjectKeyFromObject(after)
	default:
		passes = changes.Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after})
		key = client.ObjectKeyFromObject(after)
	}
	if passes {
		c.queue.Add(reconcile.Request{NamespacedName: key})
	}
}

// Process is an object for the site's machine, not yet created.
func Process(name string, changes ...func(*v1alpha1.Process)) *v1alpha1.Process {
	p := &v1alpha1.Process{
		ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: name, Labels: map[string]string{kubelet.Label: Name}},
		Spec: v1alpha1.ProcessSpec{Command: "sleep", RestartPolicy: v1alpha1.RestartAlways,
			GracePeriodSeconds: ptr.To(int32(10))}}
	for _, change := range changes {
		change(p)
	}
	return p
}

// Create creates an object, and returns it as it is then.
func (s *Site) Create(p *v1alpha1.Process) *v1alpha1.Process {
	s.t.Helper()
	require.NoError(s.t, s.Client.Create(s.t.Context(), p))
	return p
}

// Get returns an object as it is on the server, or nil if there is none.
func (s *Site) Get(name string) *v1alpha1.Process {
	s.t.Helper()
	var p v1alpha1.Process
	err := s.Client.Get(s.t.Context(), client.ObjectKey{Namespace: Namespace, Name: name}, &p)
	require.NoError(s.t, client.IgnoreNotFound(err))
	if err != nil {
		return nil
	}
	return &p
}

// Edit changes an object, if there is one that is not being deleted. A change of its spec is another generation.
func (s *Site) Edit(name string, change func(*v1alpha1.Process)) {
	s.t.Helper()
	for {
		p := s.Get(name)
		if p == nil || p.DeletionTimestamp != nil {
			return
		}
		before := p.DeepCopy()
		change(p)
		if !equality.Semantic.DeepEqual(before.Spec, p.Spec) {
			p.Generation++
		}
		err := s.Client.Update(s.t.Context(), p)
		if !apierrors.IsConflict(err) { // a controller may have saved a status in between
			require.NoError(s.t, err)
			return
		}
	}
}

// Delete deletes an object, if there is one. One with a finalizer is there until that is taken away.
func (s *Site) Delete(name string) {
	s.t.Helper()
	if p := s.Get(name); p != nil {
		require.NoError(s.t, client.IgnoreNotFound(s.Client.Delete(s.t.Context(), p)))
	}
}
