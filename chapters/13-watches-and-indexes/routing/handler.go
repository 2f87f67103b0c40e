package routing

import (
	"context"

	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Queue is where a handler puts keys.
type Queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// Handler turns an event into keys. It asks a function for each object that the event has, and of an update these are
// two, as it was and as it is. A key that both have is added once. The object as it was comes first.
//
// A queue with priorities gets a low one for what may be nothing new: objects of the initial list, and updates in which
// the object is the same.
//
// [Object], [Owner] and [Mapped] make handlers. Unlike upstream's, which log it, they take a nil pointer in the
// interface for an object. Upstream has a type for each, in controller-runtime's pkg/handler/enqueue.go,
// enqueue_owner.go and enqueue_mapped.go, and gives priorities in eventhandler.go.
type Handler struct {
	keys func(ctx context.Context, o client.Object) []reconcile.Request
}

var _ handler.EventHandler = (*Handler)(nil)

// Create implements handler.EventHandler.
func (h *Handler) Create(ctx context.Context, e event.CreateEvent, q Queue) {
	h.add(ctx, q, e.IsInInitialList, e.Object)
}

// Update implements handler.EventHandler.
func (h *Handler) Update(ctx context.Context, e event.UpdateEvent, q Queue) {
	same := e.ObjectOld != nil && e.ObjectNew != nil &&
		e.ObjectOld.GetResourceVersion() == e.ObjectNew.GetResourceVersion()
	h.add(ctx, q, same, e.ObjectOld, e.ObjectNew)
}

// Delete implements handler.EventHandler.
func (h *Handler) Delete(ctx context.Context, e event.DeleteEvent, q Queue) {
	h.add(ctx, q, false, e.Object)
}

// Generic implements handler.EventHandler.
func (h *Handler) Generic(ctx context.Context, e event.GenericEvent, q Queue) {
	h.add(ctx, q, false, e.Object)
}

// add adds the keys of some objects, each once. Without an object there is nothing to say.
func (h *Handler) add(ctx context.Context, q Queue, perhapsNothing bool, objects ...client.Object) {
	add := q.Add
	if withPriority, ok := q.(priorityqueue.PriorityQueue[reconcile.Request]); ok && perhapsNothing {
		low := priorityqueue.AddOpts{Priority: ptr.To(handler.LowPriority)}
		add = func(key reconcile.Request) { withPriority.AddWithOpts(low, key) }
	}
	added := map[reconcile.Request]bool{}
	for _, o := range objects {
		if o == nil {
			continue
		}
		for _, key := range h.keys(ctx, o) {
			if !added[key] {
				added[key] = true
				add(key)
			}
		}
	}
}
