package opened

import (
	"fmt"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Queue is what a controller of controller-runtime's takes for its queue.
type Queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// NewQueueFunc is the type of controller.Options.NewQueue.
type NewQueueFunc = func(controller string, limiter workqueue.TypedRateLimiter[reconcile.Request]) Queue

// NewQueue is for controller.Options.NewQueue: it makes a queue as inner does, or the priority queue that upstream
// makes by default if that is nil, and records what is called. One that takes priorities still does.
func (r *Record) NewQueue(inner NewQueueFunc) NewQueueFunc {
	if inner == nil {
		inner = func(name string, limiter workqueue.TypedRateLimiter[reconcile.Request]) Queue {
			return priorityqueue.New(name, func(o *priorityqueue.Opts[reconcile.Request]) { o.RateLimiter = limiter })
		}
	}
	return func(name string, limiter workqueue.TypedRateLimiter[reconcile.Request]) Queue {
		opened := openQueue{inner(name, limiter), r, name}
		if priorities, ok := opened.Queue.(priorityqueue.PriorityQueue[reconcile.Request]); ok {
			return openPriorities{opened, priorities}
		}
		return opened
	}
}

type openQueue struct {
	Queue
	record *Record
	name   string
}

func (q openQueue) note(what string, item reconcile.Request) {
	q.record.Note(Event{Part: Queues, Name: q.name, What: what, Item: keyOf(item)})
}

// keyOf is how an event names an item: "north/menu", and "menu" for what is in no namespace.
func keyOf(item reconcile.Request) string {
	if item.Namespace == "" {
		return item.Name
	}
	return item.String()
}

func (q openQueue) Add(item reconcile.Request) {
	q.note("Add", item)
	q.Queue.Add(item)
}

func (q openQueue) AddRateLimited(item reconcile.Request) {
	q.note("AddRateLimited", item)
	q.Queue.AddRateLimited(item)
}

func (q openQueue) AddAfter(item reconcile.Request, d time.Duration) {
	q.note(fmt.Sprint("AddAfter ", d), item)
	q.Queue.AddAfter(item, d)
}

func (q openQueue) Get() (item reconcile.Request, shutdown bool) {
	item, shutdown = q.Queue.Get()
	if !shutdown {
		q.note("Get", item)
	}
	return item, shutdown
}

func (q openQueue) Forget(item reconcile.Request) {
	q.note("Forget", item)
	q.Queue.Forget(item)
}

func (q openQueue) Done(item reconcile.Request) {
	q.note("Done", item)
	q.Queue.Done(item)
}

func (q openQueue) ShutDown() {
	q.record.Note(Event{Part: Queues, Name: q.name, What: "ShutDown"})
	q.Queue.ShutDown()
}

// openPriorities is an openQueue over one that takes priorities.
type openPriorities struct {
	openQueue
	priorities priorityqueue.PriorityQueue[reconcile.Request]
}

// AddWithOpts records what it comes to: an Add, AddRateLimited or AddAfter, and the priority if it is not 0.
func (q openPriorities) AddWithOpts(o priorityqueue.AddOpts, items ...reconcile.Request) {
	what := "Add"
	switch {
	case o.RateLimited:
		what = "AddRateLimited"
	case o.After > 0:
		what = fmt.Sprint("AddAfter ", o.After)
	}
	if o.Priority != nil && *o.Priority != 0 {
		what += fmt.Sprintf(" at priority %d", *o.Priority)
	}
	for _, item := range items {
		q.note(what, item)
	}
	q.priorities.AddWithOpts(o, items...)
}

// GetWithPriority implements priorityqueue.PriorityQueue.
func (q openPriorities) GetWithPriority() (item reconcile.Request, priority int, shutdown bool) {
	item, priority, shutdown = q.priorities.GetWithPriority()
	if !shutdown {
		q.note("Get", item)
	}
	return item, priority, shutdown
}
