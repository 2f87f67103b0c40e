package reflectortest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Server is a collection of ConfigMaps that can be listed and watched, as the API server answers, in memory. It begins
// empty at version 1, and each write makes the next version. Its methods may be called by any goroutine.
type Server struct {
	// PageLimit splits lists that ask for pages; larger limits are cut to it. 0 leaves the limit to the request.
	PageLimit int

	mu        sync.Mutex
	version   int
	compacted int // changes up to this version are forgotten
	objects   map[string]*corev1.ConfigMap
	history   []watch.Event
	open      map[*stream]bool
	faults    []error
	requests  []Request
	stopped   int
	held      bool // the next streaming list stops after its first object
}

// Request is one that the server got.
type Request struct {
	Kind    string // "stream", "list", "watch"
	Options metav1.ListOptions
	At      time.Time
}

// String is the kind and the version, as in "watch 7".
func (r Request) String() string { return r.Kind + " " + r.Options.ResourceVersion }

// NewServer makes a server with these objects. Their versions follow each other from 2.
func NewServer(names ...string) *Server {
	s := &Server{version: 1, objects: map[string]*corev1.ConfigMap{}, open: map[*stream]bool{}}
	for _, name := range names {
		s.Put(name, "")
	}
	return s
}

// ConfigMap is an object as the server has it.
func ConfigMap(name, value string, version int) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: strconv.Itoa(version)},
		Data:       map[string]string{"value": value},
	}
}

// Put creates or changes an object. A new one has a UID of its own.
func (s *Server) Put(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(name, value)
}

func (s *Server) put(name, value string) {
	s.version++
	kind, object := watch.Added, ConfigMap(name, value, s.version)
	object.UID = types.UID(fmt.Sprint(name, "-", s.version))
	if old := s.objects[name]; old != nil {
		kind, object.UID = watch.Modified, old.UID
	}
	s.objects[name] = object
	s.tell(watch.Event{Type: kind, Object: object})
}

// Delete deletes an object.
func (s *Server) Delete(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(name)
}

func (s *Server) remove(name string) {
	s.version++
	gone := s.objects[name].DeepCopy()
	gone.ResourceVersion = strconv.Itoa(s.version)
	delete(s.objects, name)
	s.tell(watch.Event{Type: watch.Deleted, Object: gone})
}

// tell adds an event to the history, and sends it to all open watches.
func (s *Server) tell(event watch.Event) {
	s.history = append(s.history, event)
	for w := range s.open {
		w.events <- sent(event)
	}
}

// sent is an event as a client gets it: with an object of its own.
func sent(event watch.Event) watch.Event {
	return watch.Event{Type: event.Type, Object: event.Object.DeepCopyObject()}
}

// Send sends an event to all open watches. It is no part of the history.
func (s *Server) Send(event watch.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.open {
		w.events <- event
	}
}

// Bookmark makes a version in which nothing of the collection changed, and tells open watches of it.
func (s *Server) Bookmark() {
	s.mu.Lock()
	s.version++
	bookmark := watch.Event{Type: watch.Bookmark, Object: ConfigMap("", "", s.version)}
	s.mu.Unlock()
	s.Send(bookmark)
}

// End ends all open watches in good order.
func (s *Server) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}

func (s *Server) end() {
	for w := range s.open {
		delete(s.open, w)
		close(w.events)
	}
}

// Break ends all open watches with an ERROR event.
func (s *Server) Break(status *apierrors.StatusError) {
	s.mu.Lock() // for both: a watch that is opened after the first event is another one
	defer s.mu.Unlock()
	for w := range s.open {
		w.events <- watch.Event{Type: watch.Error, Object: &status.ErrStatus}
		delete(s.open, w)
		close(w.events)
	}
}

// Hold has the next watch that begins with an initial state stop after its first object, and stay open.
func (s *Server) Hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = true
}

// Fail has the next requests answered with these errors; nil stands for a good answer.
func (s *Server) Fail(errs ...error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, errs...)
}

// EndAndForget ends all open watches in good order, deletes an object and creates another one, and forgets all changes
// so far, before anybody can ask for them.
func (s *Server) EndAndForget(deleted, created string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
	s.remove(deleted)
	s.put(created, "1")
	s.compacted = s.version
	s.history = nil
}

// Requests are those that the server got, in their order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Sent are the requests as text.
func (s *Server) Sent() []string {
	list := []string{}
	for _, r := range s.Requests() {
		list = append(list, r.String())
	}
	return list
}

// Watches is how many watches are open, and how many have been stopped by the client.
func (s *Server) Watches() (open, stopped int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open), s.stopped
}

// Values are the objects' values by name.
func (s *Server) Values() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	values := map[string]string{}
	for name, object := range s.objects {
		values[name] = object.Data["value"]
	}
	return values
}

// receive takes note of a request, and returns the fault that is due.
func (s *Server) receive(kind string, options metav1.ListOptions) error {
	s.requests = append(s.requests, Request{Kind: kind, Options: options, At: time.Now()})
	if len(s.faults) == 0 {
		return nil
	}
	fault := s.faults[0]
	s.faults = s.faults[1:]
	return fault
}

// tooLarge is the error for a version that the server has not reached, or nil.
func (s *Server) tooLarge(version string) error {
	if n, _ := strconv.Atoi(version); n > s.version {
		err := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %s", version), 1)
		err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge}}
		return err
	}
	return nil
}

// List implements cache.ListerWatcher.
func (s *Server) List(options metav1.ListOptions) (runtime.Object, error) {
	return s.ListWithContext(context.Background(), options)
}

// ListWithContext implements cache.ListerWatcherWithContext. A token of continuation is an index and the version of
// the first page; it expires when that version is compacted.
func (s *Server) ListWithContext(_ context.Context, options metav1.ListOptions) (runtime.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.receive("list", options); err != nil {
		return nil, err
	}
	if err := s.tooLarge(options.ResourceVersion); err != nil {
		return nil, err
	}
	from, version := 0, s.version
	if options.Continue != "" {
		fmt.Sscanf(options.Continue, "%d at %d", &from, &version)
		if version < s.compacted {
			return nil, Expired()
		}
	}
	names := slices.Sorted(maps.Keys(s.objects))[from:]
	list := &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(version)}}
	if options.Limit > 0 && s.PageLimit > 0 && len(names) > s.PageLimit {
		names = names[:s.PageLimit]
		list.Continue = fmt.Sprintf("%d at %d", from+len(names), version)
	}
	for _, name := range names {
		list.Items = append(list.Items, *s.objects[name].DeepCopy())
	}
	return list, nil
}

// Watch implements cache.ListerWatcher.
func (s *Server) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return s.WatchWithContext(context.Background(), options)
}

// WatchWithContext implements cache.ListerWatcherWithContext.
func (s *Server) WatchWithContext(_ context.Context, options metav1.ListOptions) (watch.Interface, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	streaming := options.SendInitialEvents != nil && *options.SendInitialEvents
	kind := "watch"
	if streaming {
		kind = "stream"
	}
	if err := s.receive(kind, options); err != nil {
		return nil, err
	}
	if err := s.tooLarge(options.ResourceVersion); err != nil {
		return nil, err
	}
	w := &stream{server: s, events: make(chan watch.Event, 1000)}
	s.open[w] = true
	from, _ := strconv.Atoi(options.ResourceVersion)
	switch {
	case streaming || from == 0:
		s.sendInitial(w, streaming)
	case from < s.compacted:
		w.events <- watch.Event{Type: watch.Error, Object: &Expired().ErrStatus}
	default:
		s.sendSince(w, from)
	}
	return w, nil
}

// sendInitial sends all objects, in the order of their names, and after them the bookmark if it is asked for.
func (s *Server) sendInitial(w *stream, bookmark bool) {
	for _, name := range slices.Sorted(maps.Keys(s.objects)) {
		w.events <- sent(watch.Event{Type: watch.Added, Object: s.objects[name]})
		if s.held {
			s.held = false
			return
		}
	}
	if bookmark {
		w.events <- InitialEnd(s.version)
	}
}

// sendSince sends the changes after a version.
func (s *Server) sendSince(w *stream, from int) {
	for _, event := range s.history {
		if n, _ := strconv.Atoi(event.Object.(*corev1.ConfigMap).ResourceVersion); n > from {
			w.events <- sent(event)
		}
	}
}

// stream is a watch of the server's.
type stream struct {
	server *Server
	events chan watch.Event
}

// ResultChan implements watch.Interface.
func (w *stream) ResultChan() <-chan watch.Event { return w.events }

// Stop implements watch.Interface.
func (w *stream) Stop() {
	w.server.mu.Lock()
	defer w.server.mu.Unlock()
	w.server.stopped++
	if w.server.open[w] {
		delete(w.server.open, w)
		close(w.events)
	}
}

// InitialEnd is the bookmark that ends the initial state of a streaming list.
func InitialEnd(version int) watch.Event {
	bookmark := ConfigMap("", "", version)
	bookmark.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	return watch.Event{Type: watch.Bookmark, Object: bookmark}
}

// Expired is the answer 410: the server has forgotten what was asked for.
func Expired() *apierrors.StatusError {
	return apierrors.NewResourceExpired("too old resource version")
}

// Busy is the answer 429. The server asks to be left alone for so many seconds, if any.
func Busy(seconds int) *apierrors.StatusError {
	err := apierrors.NewTooManyRequestsError("too many requests")
	err.ErrStatus.Details = &metav1.StatusDetails{RetryAfterSeconds: int32(seconds)}
	return err
}

// Unsupported is the answer of a server that knows no streaming lists.
func Unsupported() *apierrors.StatusError {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure,
		Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
		Message: "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList " +
			"feature gate is enabled"}}
}

// errInside is the cause of an error that is the server's or the store's own.
var errInside = errors.New("something inside")
