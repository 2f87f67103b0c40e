package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// teas are the run's ConfigMaps: on the server, on their way through a proxy that breaks things, and in the store.
type teas struct {
	lab    *lab.Lab
	proxy  *faults.Proxy
	direct corev1client.ConfigMapInterface // not through the proxy
	broken rest.Interface
	store  cache.Store
	stream func(*stream) // told of each streaming list that was opened
}

func newTeas(l *lab.Lab, script faults.Script) (*teas, error) {
	t := &teas{lab: l, proxy: faults.New(l.Server, l.HTTPClient().Transport, script),
		store: cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc)}
	config := &rest.Config{Host: l.Server.String(), QPS: -1, // JSON, so that the proxy can tell events apart
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	direct, err := kubernetes.NewForConfigAndClient(config, l.HTTPClient())
	if err != nil {
		return nil, err
	}
	t.direct = direct.CoreV1().ConfigMaps(l.Namespace)
	config.Host = "http://faults"
	broken, err := kubernetes.NewForConfigAndClient(config, l.Aloud(t.proxy.Client()))
	if err != nil {
		return nil, err
	}
	t.broken = broken.CoreV1().RESTClient()
	return t, nil
}

// source is what the reflector asks. client-go's REST client would wait out a 429 by itself, up to ten times: here the
// reflector hears of the first.
func (t *teas) source() *cache.ListWatch {
	request := func(options metav1.ListOptions) *rest.Request {
		options.FieldSelector = lab.OwnConfigMaps
		return t.broken.Get().Namespace(t.lab.Namespace).Resource("configmaps").
			VersionedParams(&options, scheme.ParameterCodec).MaxRetries(0)
	}
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			list := &corev1.ConfigMapList{}
			return list, request(options).Do(ctx).Into(list)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.Watch = true
			w, err := request(options).Watch(ctx)
			if err != nil || options.SendInitialEvents == nil {
				return w, err
			}
			s := &stream{Interface: w, events: make(chan watch.Event), done: make(chan struct{})}
			t.stream(s)
			go s.pass()
			return s, nil
		},
	}
}

// stream is a streaming list that notes how its initial state ends.
type stream struct {
	watch.Interface
	events chan watch.Event
	done   chan struct{}
	stop   sync.Once

	mu      sync.Mutex
	end     string // the version of the bookmark
	failure error  // of an ERROR event
	closed  bool
}

func (s *stream) pass() {
	defer close(s.events)
	for event := range s.Interface.ResultChan() {
		s.note(event)
		select {
		case s.events <- event:
		case <-s.done:
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

func (s *stream) note(event watch.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	object, _ := event.Object.(metav1.Object)
	switch {
	case event.Type == watch.Error:
		s.failure = apierrors.FromObject(event.Object)
	case event.Type == watch.Bookmark && object.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true":
		s.end = object.GetResourceVersion()
	}
}

// ResultChan implements watch.Interface.
func (s *stream) ResultChan() <-chan watch.Event { return s.events }

// Stop implements watch.Interface.
func (s *stream) Stop() {
	s.stop.Do(func() { close(s.done) })
	s.Interface.Stop()
}

// write makes one change on the server and shows it.
func (t *teas) write(ctx context.Context, verb, name string) (err error) {
	t.lab.Sent("%s %s", verb, name)
	tea := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	switch verb {
	case "create":
		_, err = t.direct.Create(ctx, tea, metav1.CreateOptions{})
	case "update":
		tea.Data = map[string]string{"cups": "2"}
		_, err = t.direct.Update(ctx, tea, metav1.UpdateOptions{})
	default:
		err = t.direct.Delete(ctx, name, metav1.DeleteOptions{})
	}
	return err
}

// onServer lists the teas: their versions by name.
func (t *teas) onServer(ctx context.Context) (map[string]string, error) {
	list, err := t.direct.List(ctx, metav1.ListOptions{FieldSelector: lab.OwnConfigMaps})
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, tea := range list.Items {
		found[tea.Name] = tea.ResourceVersion
	}
	return found, nil
}

// inStore are those of the store.
func (t *teas) inStore() map[string]string {
	found := map[string]string{}
	for _, object := range t.store.List() {
		tea := object.(*corev1.ConfigMap)
		found[tea.Name] = tea.ResourceVersion
	}
	return found
}

func text(versions map[string]string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		all = append(all, fmt.Sprintf("%s at %s", name, versions[name]))
	}
	return strings.Join(all, ", ")
}
