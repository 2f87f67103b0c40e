package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// side is one of the two queues, with a consumer of its own: what an informer is, but for many handlers.
type side struct {
	name  string
	queue cache.Queue
	store cache.Store
	say   func([]cache.Delta) string // what one Pop handed out, in words
	told  []string                   // what the handler was told, in its order
}

// newDelta is DeltaFIFO as informers had it: it compares a list with its consumer's store.
func newDelta() *side {
	s := &side{name: "DeltaFIFO", store: newStore(), say: ofOne}
	s.queue = cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: s.store, EmitDeltaTypeReplaced: true})
	return s
}

// newReal is RealFIFO as informers have it: it knows no store.
func newReal() *side {
	return &side{name: "RealFIFO", store: newStore(), say: inOrder,
		queue: cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{AtomicEvents: true, UnlockWhileProcessing: true})}
}

// newStore is a store that takes a tombstone by the key that is written on it.
func newStore() cache.Store { return cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc) }

// process is what Pop calls: it writes to the store, and then tells the handler.
func (s *side) process(popped any, isInInitialList bool) error {
	return s.processBatch(popped.(cache.Deltas), isInInitialList)
}

// processBatch is what PopBatch calls.
func (s *side) processBatch(popped []cache.Delta, _ bool) error {
	for _, d := range popped {
		if err := s.apply(d); err != nil {
			return err
		}
	}
	return nil
}

// apply is what an informer does with one delta.
func (s *side) apply(d cache.Delta) error {
	switch d.Type {
	case cache.ReplacedAll:
		return s.replace(d.Object.(cache.ReplacedAllInfo))
	case cache.SyncAll:
		for _, object := range sorted(s.store.List()) {
			s.tell("OnUpdate", object)
		}
		return nil
	case cache.Deleted:
		err := s.store.Delete(d.Object)
		s.tell("OnDelete", d.Object)
		return err
	}
	_, known, err := s.store.Get(d.Object)
	if err != nil {
		return err
	}
	err = s.store.Update(d.Object)
	s.tell(added(!known), d.Object)
	return err
}

// replace finds what is gone by comparing the list with the store: this queue did not.
func (s *side) replace(list cache.ReplacedAllInfo) error {
	known, gone := map[string]bool{}, map[string]*corev1.ConfigMap{}
	for _, object := range s.store.List() {
		known[name(object)], gone[name(object)] = true, object.(*corev1.ConfigMap)
	}
	for _, object := range list.Objects {
		delete(gone, name(object))
	}
	err := s.store.Replace(list.Objects, list.ResourceVersion)
	for _, object := range gone {
		s.tell("OnDelete", cache.DeletedFinalStateUnknown{Key: cache.MetaObjectToName(object).String(), Obj: object})
	}
	for _, object := range list.Objects {
		s.tell(added(!known[name(object)]), object)
	}
	return err
}

func added(is bool) string {
	if is {
		return "OnAdd"
	}
	return "OnUpdate"
}

// tell is the handler.
func (s *side) tell(call string, object any) {
	if _, buried := object.(cache.DeletedFinalStateUnknown); buried {
		s.told = append(s.told, fmt.Sprintf("%s(tombstone of %s)", call, name(object)))
		return
	}
	s.told = append(s.told, fmt.Sprintf("%s(%s)", call, name(object)))
}

// catchUp processes the first list.
func (s *side) catchUp() error {
	for !s.queue.HasSynced() {
		if _, err := s.queue.Pop(s.process); err != nil {
			return err
		}
	}
	s.told = nil
	return nil
}

// drain closes the queue and pops what is in it. Each Pop becomes a line.
func (s *side) drain(process cache.PopProcessFunc) (lines []string, err error) {
	s.queue.Close()
	for {
		popped, err := s.queue.Pop(process)
		if errors.Is(err, cache.ErrFIFOClosed) {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		lines = append(lines, s.say(popped.(cache.Deltas)))
	}
}

// feed is where both queues are filled from: a Reflector's calls, which it shows.
type feed struct {
	*lab.Lab
	sides []*side
	calls chan struct{}
	took  map[*side]time.Duration // of the last call
}

func newFeed(l *lab.Lab, sides ...*side) *feed {
	return &feed{Lab: l, sides: sides, calls: make(chan struct{}, 100),
		took: map[*side]time.Duration{}}
}

func (f *feed) Add(o any) error    { return f.one("Add", o, cache.Queue.Add) }
func (f *feed) Update(o any) error { return f.one("Update", o, cache.Queue.Update) }
func (f *feed) Delete(o any) error { return f.one("Delete", o, cache.Queue.Delete) }

func (f *feed) one(call string, object any, do func(cache.Queue, any) error) error {
	f.Became("%-8s%s", call, version(object))
	return f.all(func(q cache.Queue) error { return do(q, object) })
}

// Replace sorts: a Reflector that begins with a streaming list gives its objects in no order.
func (f *feed) Replace(list []any, resourceVersion string) error {
	list = sorted(list)
	f.Became("%-8s%s", "Replace", versions(list))
	return f.all(func(q cache.Queue) error { return q.Replace(list, resourceVersion) })
}

func (f *feed) Resync() error {
	f.Became("Resync")
	return f.all(cache.Queue.Resync)
}

// all makes one call on each queue.
func (f *feed) all(call func(cache.Queue) error) error {
	defer func() { f.calls <- struct{}{} }()
	for _, s := range f.sides {
		began := time.Now()
		if err := call(s.queue); err != nil {
			return err
		}
		f.took[s] = time.Since(began)
	}
	return nil
}

// await waits until the Reflector has made that many calls.
func (f *feed) await(ctx context.Context, calls int) error {
	for range calls {
		select {
		case <-f.calls:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// reflect has a Reflector feed the queues over a client, until stop is called. It returns after the first list.
func (f *feed) reflect(ctx context.Context, over kubernetes.Interface) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	reflector := cache.NewReflectorWithOptions(source(over, f.Namespace), &corev1.ConfigMap{}, f,
		cache.ReflectorOptions{})
	done := make(chan struct{})
	go func() { defer close(done); reflector.RunWithContext(ctx) }()
	stop = func() { cancel(); <-done }
	if err := f.await(ctx, 1); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// source lists and watches the run's ConfigMaps.
func source(over kubernetes.Interface, namespace string) cache.ListerWatcher {
	own := func(o *metav1.ListOptions) { o.FieldSelector = lab.OwnConfigMaps }
	lw := cache.NewFilteredListWatchFromClient(over.CoreV1().RESTClient(), "configmaps", namespace, own)
	return cache.ToListWatcherWithWatchListSemantics(lw, over)
}

// clientset is client-go's, over an HTTP client, and its requests show themselves.
func clientset(l *lab.Lab, host string, over *http.Client) (kubernetes.Interface, error) {
	config := &rest.Config{Host: host, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	return kubernetes.NewForConfigAndClient(config, l.Aloud(over))
}

// expiring is a client whose watch expires in place of its n-th event. Just before the client learns it, then is called.
func expiring(l *lab.Lab, n int, then func()) (over kubernetes.Interface, end func() error, err error) {
	proxy := faults.New(l.Server, l.HTTPClient().Transport,
		faults.Written{{Request: 1, Event: n, Kind: faults.Expired}})
	proxy.OnFault(func(faults.Record, faults.Fault) {
		l.Event("FAULT", "expired: in place of the event, an ERROR event: 410 Expired")
		then()
	})
	over, err = clientset(l, "http://faults", proxy.Client())
	return over, proxy.Close, err
}

// writer changes the run's ConfigMaps, and waits after each write until the feed has seen it.
type writer struct {
	ctx   context.Context
	lab   *lab.Lab
	on    kubernetes.Interface
	saw   *feed // nil: do not wait
	wrote int
	err   error // the first that failed; what comes after it is left out
}

// newWriter makes the objects that a step begins with, and no others are there.
func newWriter(ctx context.Context, l *lab.Lab, names ...string) (*writer, error) {
	on, err := clientset(l, l.Server.String(), l.HTTPClient())
	if err != nil {
		return nil, err
	}
	if err := empty(ctx, l); err != nil {
		return nil, err
	}
	w := &writer{ctx: ctx, lab: l, on: on}
	for _, name := range names {
		w.create(name)
	}
	return w, w.err
}

// empty deletes what an earlier step has left, without a word.
func empty(ctx context.Context, l *lab.Lab) error {
	all := l.Server.String() + "/api/v1/namespaces/" + l.Namespace + "/configmaps?fieldSelector=" +
		url.QueryEscape(lab.OwnConfigMaps)
	_, err := lab.MustSendJSON(ctx, l.HTTPClient(), http.MethodDelete, all, nil)
	return err
}

func (w *writer) create(name string) {
	w.write(func() error {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
		_, err := w.on.CoreV1().ConfigMaps(w.lab.Namespace).Create(w.ctx, object, metav1.CreateOptions{})
		return err
	})
}

func (w *writer) update(name string) {
	w.write(func() error {
		patch := fmt.Appendf(nil, `{"data":{"written":"%d"}}`, w.wrote)
		_, err := w.on.CoreV1().ConfigMaps(w.lab.Namespace).
			Patch(w.ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
		return err
	})
}

func (w *writer) delete(name string) {
	w.write(func() error {
		return w.on.CoreV1().ConfigMaps(w.lab.Namespace).Delete(w.ctx, name, metav1.DeleteOptions{})
	})
}

func (w *writer) write(do func() error) {
	w.wrote++
	if w.err == nil {
		w.err = do()
	}
	if w.err == nil && w.saw != nil {
		w.err = w.saw.await(w.ctx, 1)
	}
}

// ofOne says in words what DeltaFIFO hands out: all that happened to one object.
func ofOne(popped []cache.Delta) string {
	var all []string
	for _, d := range popped {
		all = append(all, fmt.Sprintf("%s %s", d.Type, at(d.Object)))
	}
	return name(popped[0].Object) + ": " + strings.Join(all, ", ")
}

// inOrder says in words what RealFIFO hands out: one delta, or a batch.
func inOrder(popped []cache.Delta) string {
	var all []string
	for _, d := range popped {
		switch info := d.Object.(type) {
		case cache.ReplacedAllInfo:
			all = append(all, fmt.Sprintf("%s [%s]", d.Type, names(info.Objects)))
		case cache.SyncAllInfo:
			all = append(all, string(d.Type))
		default:
			all = append(all, fmt.Sprintf("%s %s", d.Type, version(d.Object)))
		}
	}
	return strings.Join(all, ", ")
}

// name is an object's name, or that of the one that a tombstone is for.
func name(object any) string {
	if t, buried := object.(cache.DeletedFinalStateUnknown); buried {
		return t.Key[strings.LastIndexByte(t.Key, '/')+1:]
	}
	return object.(*corev1.ConfigMap).Name
}

// at is an object's resourceVersion. A tombstone has none of its own.
func at(object any) string {
	if _, buried := object.(cache.DeletedFinalStateUnknown); buried {
		return "(tombstone)"
	}
	return object.(*corev1.ConfigMap).ResourceVersion
}

func version(object any) string { return name(object) + " " + at(object) }

func versions(objects []any) string { return joined(objects, version) }
func names(objects []any) string    { return joined(objects, name) }

func joined(objects []any, text func(any) string) string {
	var all []string
	for _, object := range objects {
		all = append(all, text(object))
	}
	return strings.Join(all, ", ")
}

// sorted are objects by name.
func sorted(objects []any) []any {
	return slices.SortedFunc(slices.Values(objects), func(a, b any) int { return cmp.Compare(name(a), name(b)) })
}

// beside lines up what came out of the two queues. The cells are padded, since a table's columns end at the right.
func beside(l *lab.Lab, left, right []string) {
	rows := [][]string{{"pop", "DeltaFIFO", "RealFIFO"}}
	for i := range max(len(left), len(right)) {
		row := []string{fmt.Sprint(i + 1), "", ""}
		if i < len(left) {
			row[1] = left[i]
		}
		if i < len(right) {
			row[2] = right[i]
		}
		rows = append(rows, row)
	}
	for column := 1; column <= 2; column++ {
		width := 0
		for _, row := range rows {
			width = max(width, len(row[column]))
		}
		for _, row := range rows {
			row[column] = fmt.Sprintf("%-*s", width, row[column])
		}
	}
	l.Table(rows...)
}

// milliseconds is a time, rounded to ten of them.
func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%d ms", d.Round(10*time.Millisecond).Milliseconds())
}
