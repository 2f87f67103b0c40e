package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
)

// Heard is an event that a handler was told, and what it made of it.
type Heard struct {
	By     string        // the handler
	Type   string        // Create, Update, Delete or Generic
	Object client.Object // as it is
	Before client.Object // as it was, of an update
	Keys   []string      // without their namespace
}

// Name is the name of its object.
func (h Heard) Name() string { return h.Object.GetName() }

// Resync says whether it is an update in which the object is the same.
func (h Heard) Resync() bool {
	return h.Before != nil && h.Before.GetResourceVersion() == h.Object.GetResourceVersion()
}

// Passes asks a predicate about it.
func (h Heard) Passes(p predicate.Predicate) bool {
	switch h.Type {
	case "Create":
		return p.Create(event.CreateEvent{Object: h.Object})
	case "Update":
		return p.Update(event.UpdateEvent{ObjectOld: h.Before, ObjectNew: h.Object})
	case "Delete":
		return p.Delete(event.DeleteEvent{Object: h.Object})
	}
	return p.Generic(event.GenericEvent{Object: h.Object})
}

// Log has what handlers were told.
type Log struct {
	lock    sync.Mutex // guards what follows
	all     []Heard
	changed chan struct{} // closed when there is more
	tell    func(Heard)
}

// NewLog makes one, and calls a function with all that it gets, or none if that is nil.
func NewLog(tell func(Heard)) *Log { return &Log{changed: make(chan struct{}), tell: tell} }

func (l *Log) note(h Heard) {
	l.lock.Lock()
	defer l.lock.Unlock()
	slices.Sort(h.Keys)
	l.all = append(l.all, h)
	if l.tell != nil {
		l.tell(h)
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// Await returns the first that is as asked, whether it was heard before or is to come.
func (l *Log) Await(ctx context.Context, by string, so func(Heard) bool) (Heard, error) {
	for seen := 0; ; {
		l.lock.Lock()
		fresh, changed := slices.Clone(l.all[seen:]), l.changed
		seen = len(l.all)
		l.lock.Unlock()
		for _, h := range fresh {
			if h.By == by && so(h) {
				return h, nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Heard{}, fmt.Errorf("%s was to be told of something: %w", by, context.Cause(ctx))
		}
	}
}

// All is what a handler was told so far.
func (l *Log) All(by string) (all []Heard) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, h := range l.all {
		if h.By == by {
			all = append(all, h)
		}
	}
	return all
}

// Has says whether a handler was told of something before.
func (l *Log) Has(by string, so func(Heard) bool) bool {
	return slices.ContainsFunc(l.All(by), so)
}

// Since finds the event that a write has made: of the object as it now is or, if that is gone, of its end.
func Since(o client.Object, gone bool) func(Heard) bool {
	return func(h Heard) bool {
		if h.Name() != o.GetName() {
			return false
		}
		if gone {
			return h.Type == "Delete"
		}
		return h.Type != "Delete" && h.Object.GetResourceVersion() == o.GetResourceVersion() && !h.Resync()
	}
}

// Handler passes events on, and notes them with the keys that came of them.
func (l *Log) Handler(name string, inner handler.EventHandler) handler.EventHandler {
	note := func(typ string, o, before client.Object, send func(routing.Queue), q routing.Queue) {
		noting := &notingQueue{Queue: q}
		send(noting)
		l.note(Heard{By: name, Type: typ, Object: o, Before: before, Keys: noting.keys})
	}
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q routing.Queue) {
			note("Create", e.Object, nil, func(q routing.Queue) { inner.Create(ctx, e, q) }, q)
		},
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q routing.Queue) {
			note("Update", e.ObjectNew, e.ObjectOld, func(q routing.Queue) { inner.Update(ctx, e, q) }, q)
		},
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q routing.Queue) {
			note("Delete", e.Object, nil, func(q routing.Queue) { inner.Delete(ctx, e, q) }, q)
		},
		GenericFunc: func(ctx context.Context, e event.GenericEvent, q routing.Queue) {
			note("Generic", e.Object, nil, func(q routing.Queue) { inner.Generic(ctx, e, q) }, q)
		},
	}
}

// notingQueue notes what is added. It takes no priorities, so that a handler adds plainly.
type notingQueue struct {
	routing.Queue
	keys []string
}

// Add implements workqueue.TypedInterface.
func (q *notingQueue) Add(key reconcile.Request) {
	q.keys = append(q.keys, key.Name)
	q.Queue.Add(key)
}

// Names are keys on one line, or nothing.
func Names(keys []string) string {
	if len(keys) == 0 {
		return "-"
	}
	return strings.Join(keys, ", ")
}
