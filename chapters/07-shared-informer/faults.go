package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// strippedVersions is -fault stripped-versions: updates that look like resyncs.
func strippedVersions(ctx context.Context, l *lab.Lab) error {
	direct, err := scenario.Direct(l)
	if err != nil {
		return err
	}
	writer, err := scenario.NewWriter(ctx, l, direct, "menu", "prices")
	if err != nil {
		return err
	}
	quiet, err := scenario.Quiet(l)
	if err != nil {
		return err
	}
	source := scenario.Source(quiet, l.Namespace)
	ours := informer.New(source, &corev1.ConfigMap{}, informer.Options{ResyncPeriod: time.Second})
	theirs := cache.NewSharedIndexInformer(source, &corev1.ConfigMap{}, time.Second, nil)
	both := []*without{{Name: "ours", informer: ours}, {Name: "client-go", informer: theirs}}
	for _, w := range both {
		stop, err := w.start(ctx)
		if err != nil {
			return err
		}
		defer stop()
	}
	hear := func(call string) error {
		if writer.Err != nil {
			return writer.Err
		}
		return scenario.Until(ctx, func() bool { return both[0].heard.has(call) && both[1].heard.has(call) })
	}
	writer.Update("menu")
	if err := hear("OnUpdate(menu)"); err != nil {
		return err
	}
	for _, w := range both {
		if err := scenario.Until(ctx, w.resynced); err != nil {
			return err
		}
		w.early = w.heard.take()
	}
	l.Became("the other handler has had its first resync")
	writer.Update("menu")
	writer.Create("hours")
	writer.Delete("prices")
	if err := hear("OnDelete(prices)"); err != nil {
		return err
	}
	l.Table(compared(both, l.Namespace)...)
	l.Conclude("client-go takes two versions that are equal for a resync, also if both are empty. Resyncs are for " +
		"those who want one, so this handler hears of no update any more. The store is right, and nothing is logged.")
	return nil
}

// compared lines up what two handlers heard.
func compared(both []*without, namespace string) [][]string {
	since := []string{"OnUpdate(menu)", "OnAdd(hours)", "OnDelete(prices)"}
	rows := [][]string{{""}, {"before: OnUpdate(menu)"}}
	for _, call := range since {
		rows = append(rows, []string{"since:  " + call})
	}
	rows = append(rows, []string{"the store's menu: write"})
	for _, w := range both {
		column := []string{w.Name, yes(slices.Contains(w.early, "OnUpdate(menu)"))}
		late := w.heard.take()
		for _, call := range since {
			column = append(column, yes(slices.Contains(late, call)))
		}
		for i, cell := range append(column, w.written(namespace)) {
			rows[i] = append(rows[i], cell)
		}
	}
	return rows
}

// without is an informer whose objects have lost their versions, with a handler that wants no resync, and one that
// does.
type without struct {
	Name     string
	informer cache.SharedIndexInformer
	heard    heard
	early    []string // what was heard before the first resync

	other sync.Once
	first chan struct{} // closed by the other handler's first resync
}

func (w *without) start(ctx context.Context) (stop func(), err error) {
	w.first = make(chan struct{})
	strip := func(object any) (any, error) {
		if o, is := object.(*corev1.ConfigMap); is {
			o.ResourceVersion = ""
		}
		return object, nil
	}
	if err := w.informer.SetTransform(strip); err != nil {
		return nil, err
	}
	other := cache.ResourceEventHandlerFuncs{UpdateFunc: func(old, object any) {
		if old == object { // one pointer: out of the store
			w.other.Do(func() { close(w.first) })
		}
	}}
	_, err = w.informer.AddEventHandlerWithResyncPeriod(&w.heard, 0)
	_, err2 := w.informer.AddEventHandler(other)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); w.informer.RunWithContext(ctx) }()
	stop = func() { cancel(); <-done }
	if err := scenario.Until(ctx, w.informer.HasSynced); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// resynced says whether the other handler has had a resync.
func (w *without) resynced() bool {
	select {
	case <-w.first:
		return true
	default:
		return false
	}
}

// written is the number of the write that the store has of menu.
func (w *without) written(namespace string) string {
	object, exists, err := w.informer.GetStore().GetByKey(namespace + "/menu")
	if err != nil || !exists {
		return "-"
	}
	return object.(*corev1.ConfigMap).Data["write"]
}

// heard is a handler that notes its calls.
type heard struct {
	lock  sync.Mutex // guards calls
	calls []string
}

func (h *heard) note(call string, object any) {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.calls = append(h.calls, fmt.Sprintf("%s(%s)", call, scenario.Name(object)))
}

// OnAdd implements cache.ResourceEventHandler, as do the others.
func (h *heard) OnAdd(object any, _ bool) { h.note("OnAdd", object) }

// OnUpdate notes an update.
func (h *heard) OnUpdate(_, object any) { h.note("OnUpdate", object) }

// OnDelete notes a deletion.
func (h *heard) OnDelete(object any) { h.note("OnDelete", object) }

func (h *heard) has(call string) bool {
	h.lock.Lock()
	defer h.lock.Unlock()
	return slices.Contains(h.calls, call)
}

// take returns the calls so far, and forgets them.
func (h *heard) take() []string {
	h.lock.Lock()
	defer h.lock.Unlock()
	calls := h.calls
	h.calls = nil
	return calls
}

// syncedTooEarly is -fault synced-too-early: a program cleans up before its handler knows what is wanted.
func syncedTooEarly(ctx context.Context, l *lab.Lab) error {
	names := []string{"menu", "menu-copy", "prices", "prices-copy"}
	for _, whose := range []string{"the informer", "the handler"} {
		direct, err := scenario.Direct(l)
		if err != nil {
			return err
		}
		if _, err := scenario.NewWriter(ctx, l, direct, names...); err != nil {
			return err
		}
		originals := scenario.NewHandler("originals").Stick()
		world, err := join(direct, l, originals)
		if err != nil {
			return err
		}
		if err := cleanUp(ctx, l, direct, world, whose == "the handler"); err != nil {
			return err
		}
	}
	l.Conclude("The informer has synced when the store has the list. A program that acts on what its handler has " +
		"made of the list waits for the HasSynced of the registration that AddEventHandler returns.")
	return nil
}

// cleanUp deletes the copies of which the handler knows no original, once.
func cleanUp(ctx context.Context, l *lab.Lab, on kubernetes.Interface, world *scenario.World, patient bool) error {
	originals := world.Handlers[0]
	world.Run(ctx)
	defer world.Stop()
	synced, whose := world.Informer.HasSynced, "the informer"
	if patient {
		synced, whose = originals.Registration.HasSynced, "the handler"
		defer time.AfterFunc(patience, originals.Release).Stop()
	}
	if err := scenario.Until(ctx, synced); err != nil {
		return err
	}
	l.Became("%s has synced; the handler knows menu: %s, prices: %s", whose,
		yes(originals.Knows("menu") != "-"), yes(originals.Knows("prices") != "-"))
	w := scenario.NewWriterOf(ctx, l, on)
	deleted := 0
	for _, key := range slices.Sorted(slices.Values(world.Informer.GetStore().ListKeys())) {
		name := key[strings.LastIndexByte(key, '/')+1:]
		original, isCopy := strings.CutSuffix(name, "-copy")
		if isCopy && originals.Knows(original) == "-" {
			w.Delete(name)
			deleted++
		}
	}
	l.Became("%d copies deleted", deleted)
	return w.Err
}

// updates is how many updates -fault stuck-for-good makes between two looks at the memory, of bytes each.
const (
	updates = 25
	bytes   = 100_000
)

// stuckForGood is -fault stuck-for-good: memory that nobody gives back.
func stuckForGood(ctx context.Context, l *lab.Lab) error {
	quiet, err := scenario.Quiet(l)
	if err != nil {
		return err
	}
	writer, err := scenario.NewWriter(ctx, l, quiet, "menu")
	if err != nil {
		return err
	}
	fast, stuck := scenario.NewHandler("fast"), scenario.NewHandler("stuck").Stick()
	world, err := join(quiet, l, fast, stuck)
	if err != nil {
		return err
	}
	if err := start(ctx, world); err != nil {
		return err
	}
	defer world.Stop()
	writer.Seen = world
	rows := [][]string{{"updates", "objects in the store", "waiting for fast", "waiting for stuck", "heap"}}
	look := func(written string) error {
		if err := errors.Join(writer.Err, world.Settle(ctx)); err != nil {
			return err
		}
		rows = append(rows, []string{written, fmt.Sprint(len(world.Informer.GetStore().List())),
			fmt.Sprint(fast.Registration.Waiting()), fmt.Sprint(stuck.Registration.Waiting()), heap()})
		return nil
	}
	writer.Fill("menu", bytes)
	if err := look("1"); err != nil {
		return err
	}
	for i := 1; i <= 2; i++ {
		for range updates {
			writer.Fill("menu", bytes)
		}
		if err := look(fmt.Sprint(i*updates + 1)); err != nil {
			return err
		}
	}
	stuck.Release()
	if err := look("stuck goes on"); err != nil {
		return err
	}
	l.Table(rows...)
	l.Conclude("Each update keeps an object of %d kB alive until stuck has seen it. Nothing bounds the buffer, and "+
		"nothing tells how much is in it: Waiting is this book's, and client-go has no metric for it.", bytes/1000)
	return nil
}

// heap is what is alive on it.
func heap() string {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return fmt.Sprintf("%d MB", m.HeapAlloc/1e6)
}

// removeThenClose is -fault remove-then-close: a handler uses what has been taken away.
func removeThenClose(ctx context.Context, l *lab.Lab) error {
	direct, err := scenario.Direct(l)
	if err != nil {
		return err
	}
	if _, err := scenario.NewWriter(ctx, l, direct, "menu"); err != nil {
		return err
	}
	world, err := join(direct, l)
	if err != nil {
		return err
	}
	world.Run(ctx)
	defer world.Stop()
	for _, way := range []struct {
		name   string
		remove func(cache.SharedInformer, cache.ResourceEventHandlerRegistration) error
	}{
		{"RemoveEventHandler", func(i cache.SharedInformer, r cache.ResourceEventHandlerRegistration) error {
			return i.RemoveEventHandler(r)
		}},
		{"ShutDownEventHandler", cache.ShutDownEventHandler},
	} {
		s := &sender{began: make(chan struct{}), goOn: make(chan struct{}), work: make(chan string, 1),
			ended: make(chan string, 1)}
		registration, err := world.Informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: s.send})
		if err != nil {
			return err
		}
		<-s.began
		goOn := sync.OnceFunc(func() { close(s.goOn) })
		time.AfterFunc(patience, goOn)
		l.Sent("%s, and then close(work), while the handler is in a call", way.name)
		if err := way.remove(world.Informer, registration); err != nil {
			return err
		}
		close(s.work)
		goOn()
		l.Wire("%s", <-s.ended)
	}
	l.Conclude("A call that has begun goes on after RemoveEventHandler. ShutDownEventHandler waits for its end, " +
		"and must not be called in the handler: it would wait for itself.")
	return nil
}

// sender is a handler that sends what it is told through a channel.
type sender struct {
	began, goOn chan struct{}
	work        chan string
	ended       chan string // how the call ended
}

func (s *sender) send(object any) {
	defer func() {
		if p := recover(); p != nil { // or the program would end here
			s.ended <- fmt.Sprintf("the handler panics: %v", p)
			return
		}
		s.ended <- "the handler has sent " + scenario.Name(object)
	}()
	close(s.began)
	<-s.goOn
	s.work <- scenario.Name(object)
}
