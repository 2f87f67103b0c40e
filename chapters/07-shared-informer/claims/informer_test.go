package claims

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// HandleError sleeps between errors, since the last one by the real clock: in a bubble for 27 years.
func init() {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	klog.SetLogger(logr.Discard())
}

// cm is a ConfigMap of that name and version.
func cm(name, version string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "d", Name: name, ResourceVersion: version}}
}

// born is a ConfigMap with a UID.
func born(name, version, uid string) *corev1.ConfigMap {
	c := cm(name, version)
	c.UID = types.UID(uid)
	return c
}

// origin is a server that is the test: each request gets its objects as a streaming list, which goes on.
type origin struct {
	mu       sync.Mutex
	stream   *watch.FakeWatcher
	requests int
}

func serve(objects ...*corev1.ConfigMap) *origin { return &origin{stream: streamed(objects...)} }

// streamed is a streaming list of the objects.
func streamed(objects ...*corev1.ConfigMap) *watch.FakeWatcher {
	w := watch.NewFakeWithChanSize(100, false)
	for _, o := range objects {
		w.Add(o)
	}
	end := cm("", "10")
	end.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	w.Action(watch.Bookmark, end)
	return w
}

// List implements cache.ListerWatcher. No reflector asks for it, as streaming lists work.
func (o *origin) List(metav1.ListOptions) (runtime.Object, error) {
	return nil, fmt.Errorf("the test has no list")
}

// Watch implements cache.ListerWatcher.
func (o *origin) Watch(metav1.ListOptions) (watch.Interface, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requests++
	return o.stream, nil
}

// live is the watch that is open.
func (o *origin) live() *watch.FakeWatcher {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stream
}

// asked is how many requests came.
func (o *origin) asked() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.requests
}

// relist has the next request get the objects, and ends the present watch with a 410.
func (o *origin) relist(objects ...*corev1.ConfigMap) {
	o.mu.Lock()
	old := o.stream
	o.stream = streamed(objects...)
	o.mu.Unlock()
	old.Error(&metav1.Status{Status: metav1.StatusFailure, Code: 410, Reason: metav1.StatusReasonExpired})
	time.Sleep(5 * time.Second) // the reflector's delay is shorter
	synctest.Wait()
}

// diary is what handlers were told, in its order.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// new is what was told since the last call.
func (d *diary) new() []string {
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	lines := slices.Clone(d.lines)
	d.lines = nil
	return lines
}

// handler writes down what it is told, each time behind the prefix.
func (d *diary) handler(prefix string) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { d.note("%sadd %s", prefix, at(o)) },
		UpdateFunc: func(old, o any) { d.note("%supdate %s to %s", prefix, at(old), at(o)) },
		DeleteFunc: func(o any) { d.note("%sdelete %s", prefix, at(o)) },
	}
}

// at names an object: its name, version and UID.
func at(o any) string {
	switch o := o.(type) {
	case *corev1.ConfigMap:
		if o.UID != "" {
			return fmt.Sprintf("%s@%s(%s)", o.Name, o.ResourceVersion, o.UID)
		}
		return o.Name + "@" + o.ResourceVersion
	case cache.DeletedFinalStateUnknown:
		return "tombstone of " + at(o.Obj)
	}
	return fmt.Sprintf("%T", o)
}

// informed is an informer of client-go's in a bubble.
type informed struct {
	cache.SharedIndexInformer
	*origin
	diary
}

func newInformed(resync time.Duration, objects ...*corev1.ConfigMap) *informed {
	i := &informed{origin: serve(objects...)}
	i.SharedIndexInformer = cache.NewSharedIndexInformer(i.origin, &corev1.ConfigMap{}, resync, cache.Indexers{})
	return i
}

// run runs something until all it does is wait, and returns what stops it and waits for its end.
func run(f func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); f(ctx) }()
	synctest.Wait()
	return func() { cancel(); <-done }
}

// add registers a handler.
func (i *informed) add(t *testing.T, handler cache.ResourceEventHandler) cache.ResourceEventHandlerRegistration {
	t.Helper()
	registration, err := i.AddEventHandler(handler)
	require.NoError(t, err)
	return registration
}

// every registers a handler with a resync period of its own.
func (i *informed) every(t *testing.T, period time.Duration, prefix string) {
	t.Helper()
	_, err := i.AddEventHandlerWithResyncPeriod(i.handler(prefix), period)
	require.NoError(t, err)
}

// has is the version of an object in the informer's store, and "" without one.
func has(t *testing.T, store cache.Store, name string) string {
	t.Helper()
	o, exists, err := store.GetByKey("d/" + name)
	require.NoError(t, err)
	if !exists {
		return ""
	}
	return o.(*corev1.ConfigMap).ResourceVersion
}

// An informer is a copy of a collection, and calls whoever wants to know of its changes.
//
// covers: S1-01
func TestAnInformerKeepsACopyAndTellsOfChanges(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"), cm("b", "2"))
		i.add(t, i.handler(""))
		stop := run(i.RunWithContext)
		defer stop()
		require.ElementsMatch(t, []string{"add a@1", "add b@2"}, i.new())
		i.live().Modify(cm("a", "11"))
		i.live().Delete(cm("b", "12"))
		i.live().Add(cm("c", "13"))
		require.Equal(t, []string{"update a@1 to a@11", "delete b@12", "add c@13"}, i.new())
		require.ElementsMatch(t, []string{"d/a", "d/c"}, i.GetStore().ListKeys())
		require.Equal(t, "11", has(t, i.GetStore(), "a"))
	})
}
