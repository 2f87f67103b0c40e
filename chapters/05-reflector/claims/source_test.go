package claims

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// HandleError sleeps between errors, since the last one by the real clock: in a bubble for 27 years. And what a
// reflector logs of errors that a test makes tells nobody anything.
func init() {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	klog.SetLogger(logr.Discard())
}

// reply is what a request gets: a list, a watch with these events, or an error. A watch stays open unless it ends.
type reply struct {
	list   *corev1.ConfigMapList
	events []watch.Event
	ends   bool
	err    error
}

func lists(version string, objects ...corev1.ConfigMap) reply {
	return reply{list: &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: version}, Items: objects}}
}
func events(e ...watch.Event) reply   { return reply{events: e} }
func thenEnds(e ...watch.Event) reply { return reply{events: e, ends: true} }
func fails(err error) reply           { return reply{err: err} }
func added(name, rv string) watch.Event {
	return watch.Event{Type: watch.Added, Object: configMap(name, rv)}
}
func deleted(name, v string) watch.Event {
	return watch.Event{Type: watch.Deleted, Object: configMap(name, v)}
}
func modified(name, v string) watch.Event {
	return watch.Event{Type: watch.Modified, Object: configMap(name, v)}
}

// initialEnd is the bookmark that ends the initial events of a streaming list.
func initialEnd(version string) watch.Event {
	c := configMap("", version)
	c.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	return watch.Event{Type: watch.Bookmark, Object: c}
}

// source is a ListerWatcher that answers with its replies, one after the other, and with the last for ever. It lives in
// a bubble.
type source struct {
	mu      sync.Mutex
	replies []reply
	asked   []string        // the requests
	at      []time.Duration // since the source was made
	options []metav1.ListOptions
	start   time.Time
}

func newSource(replies ...reply) *source { return &source{replies: replies, start: time.Now()} }

func (s *source) next(kind string, o metav1.ListOptions) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.SendInitialEvents != nil && *o.SendInitialEvents {
		kind = "STREAM"
	}
	s.asked = append(s.asked, fmt.Sprintf("%s %q", kind, o.ResourceVersion))
	s.at = append(s.at, time.Since(s.start))
	s.options = append(s.options, o)
	r := s.replies[0]
	if len(s.replies) > 1 {
		s.replies = s.replies[1:]
	}
	return r
}

// List implements cache.ListerWatcher.
func (s *source) List(o metav1.ListOptions) (runtime.Object, error) {
	r := s.next("LIST", o)
	if r.err == nil && r.list == nil {
		return nil, fmt.Errorf("the test has no list for %v", o)
	}
	return r.list, r.err
}

// Watch implements cache.ListerWatcher.
func (s *source) Watch(o metav1.ListOptions) (watch.Interface, error) {
	r := s.next("WATCH", o)
	if r.err != nil {
		return nil, r.err
	}
	w := watch.NewFakeWithChanSize(len(r.events), false)
	for _, e := range r.events {
		w.Action(e.Type, e.Object)
	}
	if r.ends {
		w.Stop()
	}
	return w, nil
}

// run runs a reflector until it waits with nothing left to do, and returns what stops it.
func (s *source) run(t *testing.T, r *cache.Reflector) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); r.RunWithContext(ctx) }()
	synctest.Wait()
	return func() { cancel(); <-done }
}
