package informertest

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
)

// source is a collection that answers lists and watches as the API server does. Each change makes the next version,
// from 1. It keeps no history: a watch from an older version is told that it has expired.
type source struct {
	streams bool // and so refuses no streaming list

	mu       sync.Mutex
	version  int
	objects  map[string]*corev1.ConfigMap // by name; not written any more
	gone     map[string]int               // the version of each name's last deletion
	watches  []*watch.RaceFreeFakeWatcher
	requests int
	down     bool          // no request gets an answer but an error
	paused   chan struct{} // requests wait for it; nil if they don't
}

func newSource(streams bool) *source {
	return &source{streams: streams, objects: map[string]*corev1.ConfigMap{}, gone: map[string]int{}}
}

func (s *source) listerWatcher() cache.ListerWatcher {
	return &cache.ListWatch{ListWithContextFunc: s.list, WatchFuncWithContext: s.watch}
}

// change makes changes, and tells all watches.
func (s *source) change(changes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, change := range changes {
		s.tell(s.apply(change))
	}
}

// gap makes changes that no watch hears of: those that are open expire.
func (s *source) gap(changes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.watches {
		w.Error(expired())
	}
	s.watches = nil
	for _, change := range changes {
		s.apply(change)
	}
}

// bookmark makes a version in which nothing of the collection changed, and tells all watches.
func (s *source) bookmark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.tell(watch.Bookmark, s.stamp(&corev1.ConfigMap{}))
}

// set has requests wait, or fail, or neither.
func (s *source) set(paused, down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paused != nil {
		close(s.paused)
		s.paused = nil
	}
	if s.down = down; paused {
		s.paused = make(chan struct{})
	}
}

// apply makes one change.
func (s *source) apply(change string) (watch.EventType, *corev1.ConfigMap) {
	s.version++
	if change[0] == '-' {
		name := change[1:]
		object := s.objects[name]
		delete(s.objects, name)
		s.gone[name] = s.version
		return watch.Deleted, s.stamp(object.DeepCopy())
	}
	name := change[:1]
	object := &corev1.ConfigMap{Data: map[string]string{"state": change[1:]}}
	object.Namespace, object.Name = "default", name
	kind := watch.Modified
	if old := s.objects[name]; old != nil {
		object.UID = old.UID
	} else {
		kind = watch.Added
		object.UID = types.UID(name + strconv.Itoa(s.version))
	}
	s.objects[name] = s.stamp(object)
	return kind, object
}

// stamp gives an object the version, the newest.
func (s *source) stamp(object *corev1.ConfigMap) *corev1.ConfigMap {
	object.ResourceVersion = strconv.Itoa(s.version)
	return object
}

func (s *source) tell(kind watch.EventType, object *corev1.ConfigMap) {
	for _, w := range s.watches {
		w.Action(kind, object.DeepCopy())
	}
}

// receive takes note of a request and waits until it may be answered.
func (s *source) receive(ctx context.Context) error {
	s.mu.Lock()
	s.requests++
	paused, down := s.paused, s.down
	s.mu.Unlock()
	if paused != nil {
		select {
		case <-paused:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if down {
		return apierrors.NewInternalError(errors.New("the server is down"))
	}
	return nil
}

func (s *source) list(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
	if err := s.receive(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := &corev1.ConfigMapList{}
	list.ResourceVersion = strconv.Itoa(s.version)
	for _, name := range slices.Sorted(maps.Keys(s.objects)) {
		list.Items = append(list.Items, *s.objects[name].DeepCopy())
	}
	return list, nil
}

func (s *source) watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	if err := s.receive(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w := watch.NewRaceFreeFake()
	switch streaming := ptr.Deref(options.SendInitialEvents, false); {
	case streaming && !s.streams:
		return nil, &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure,
			Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid}}
	case streaming:
		for _, name := range slices.Sorted(maps.Keys(s.objects)) {
			w.Add(s.objects[name].DeepCopy())
		}
		end := s.stamp(&corev1.ConfigMap{})
		end.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
		w.Action(watch.Bookmark, end)
	case options.ResourceVersion != strconv.Itoa(s.version):
		w.Error(expired())
	}
	s.watches = append(s.watches, w)
	return w, nil
}

func expired() *metav1.Status {
	return &apierrors.NewResourceExpired("too old resource version").ErrStatus
}

// atLeast says whether somebody who holds this, or nothing, of a name has heard of its changes up to a version.
func (s *source) atLeast(version int, name string, held *corev1.ConfigMap) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held == nil {
		return s.gone[name] >= version
	}
	return versionOf(held) >= version
}

// versionOf is 0 for nothing.
func versionOf(object *corev1.ConfigMap) int {
	if object == nil {
		return 0
	}
	version, _ := strconv.Atoi(object.ResourceVersion)
	return version
}
