package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/cache"
	upstream "k8s.io/client-go/util/workqueue"
)

// workers are three who process keys, as they would in a controller: but all they do is to look at the object.
type workers struct {
	queue upstream.TypedRateLimitingInterface[key]
	look  func(key) (version string) // in the informer's store
	all   sync.WaitGroup

	lock  sync.Mutex               // guards what follows
	stuck map[string]chan struct{} // whoever processes one of these waits until the channel is closed
	fails map[string]int           // so many runs of these are still to fail
	done  map[string]*record
}

// record is what was done for a key.
type record struct {
	adds      int         // by the handler
	runs      []time.Time // when each began
	now, most int         // workers at once
	saw       string      // the version that the last run saw
	heard     string      // the version that the handler was told of last
}

const howMany = 3

func newWorkers(queue upstream.TypedRateLimitingInterface[key], look func(key) string) *workers {
	return &workers{queue: queue, look: look, stuck: map[string]chan struct{}{}, fails: map[string]int{},
		done: map[string]*record{}}
}

func (w *workers) begin() {
	for range howMany {
		w.all.Go(w.work)
	}
}

// returned waits until no worker is left.
func (w *workers) returned(ctx context.Context) error {
	done := make(chan struct{})
	go func() { defer close(done); w.all.Wait() }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w\nthe queue was drained, and a worker waits for a key", context.Cause(ctx))
	}
}

// work is the loop of each worker.
func (w *workers) work() {
	for {
		item, shutdown := w.queue.Get()
		if shutdown {
			return
		}
		if err := w.process(item); err != nil {
			w.queue.AddRateLimited(item)
		} else {
			w.queue.Forget(item)
		}
		w.queue.Done(item)
	}
}

// process looks at an object, and takes as long as it is told to.
func (w *workers) process(item key) error {
	w.lock.Lock()
	r := w.of(item.Name)
	r.runs = append(r.runs, time.Now())
	r.now++
	r.most = max(r.most, r.now)
	r.saw = w.look(item)
	stuck, fails := w.stuck[item.Name], w.fails[item.Name] > 0
	if fails {
		w.fails[item.Name]--
	}
	w.lock.Unlock()
	if stuck != nil {
		<-stuck
	}
	w.lock.Lock()
	r.now--
	w.lock.Unlock()
	if fails {
		return fmt.Errorf("%s fails", item.Name)
	}
	return nil
}

// handler adds the key of whatever has happened.
func (w *workers) handler() cache.ResourceEventHandler {
	add := func(object any) {
		m, err := meta.Accessor(object)
		if err != nil {
			return // nothing is deleted here, so there are no tombstones
		}
		w.lock.Lock()
		r := w.of(m.GetName())
		r.adds++
		r.heard = m.GetResourceVersion()
		w.lock.Unlock()
		w.queue.Add(cache.MetaObjectToName(m))
	}
	return cache.ResourceEventHandlerFuncs{AddFunc: add, UpdateFunc: func(_, now any) { add(now) }, DeleteFunc: add}
}

// of is the record of a key. The caller holds the lock.
func (w *workers) of(name string) *record {
	if w.done[name] == nil {
		w.done[name] = &record{}
	}
	return w.done[name]
}

// record is a copy of one.
func (w *workers) record(name string) record {
	w.lock.Lock()
	defer w.lock.Unlock()
	return *w.of(name)
}

// stick has whoever processes these from now on wait until they are released.
func (w *workers) stick(names ...string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	for _, name := range names {
		w.stuck[name] = make(chan struct{})
	}
}

// release lets those go on who are stuck.
func (w *workers) release() {
	w.lock.Lock()
	defer w.lock.Unlock()
	for name, stuck := range w.stuck {
		close(stuck)
		delete(w.stuck, name)
	}
}

// fail has the next runs of a key fail.
func (w *workers) fail(name string, times int) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.fails[name] = times
}
