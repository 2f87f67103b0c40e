package scenario

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
)

// World is an informer of the run's ConfigMaps, with its handlers.
type World struct {
	// Informer is what the handlers share.
	Informer *informer.SharedIndexInformer
	// Handlers are those that have joined, in their order.
	Handlers []*Handler

	cancel context.CancelFunc
	done   chan struct{} // closed when the informer has returned
}

// NewWorld makes an informer over a client. It does not run yet.
func NewWorld(over kubernetes.Interface, namespace string, options informer.Options) *World {
	return &World{Informer: informer.New(Source(over, namespace), &corev1.ConfigMap{}, options),
		cancel: func() {}, done: make(chan struct{})}
}

// Join adds handlers.
func (w *World) Join(handlers ...*Handler) error {
	for _, h := range handlers {
		registration, err := w.Informer.AddEventHandler(h)
		if err != nil {
			return err
		}
		h.Registration = registration.(*informer.Registration)
		w.Handlers = append(w.Handlers, h)
	}
	return nil
}

// Run runs the informer until Stop is called, also when ctx ends before.
func (w *World) Run(ctx context.Context) {
	ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() { defer close(w.done); w.Informer.RunWithContext(ctx) }()
}

// Stop ends the informer. A handler that is stuck is released, or nobody would come to an end.
func (w *World) Stop() {
	for _, h := range w.Handlers {
		h.Release()
	}
	w.cancel()
	<-w.done
}

// Settle waits until all that has been written has come as far as it can come: into the store, to the handlers that
// work, and into the buffers of those that are stuck. Those have been stuck from the beginning, and some other handler
// has worked from the beginning.
func (w *World) Settle(ctx context.Context) error {
	return Until(ctx, func() bool {
		if !w.Informer.HasSynced() {
			return false
		}
		for _, h := range w.Handlers {
			if !w.settled(h) {
				return false
			}
		}
		return true
	})
}

func (w *World) settled(h *Handler) bool {
	if h.IsStuck() {
		return h.InCall() && h.Registration.Waiting()+1 == w.distributed()
	}
	return h.Registration.HasSynced() && h.agrees(w.Informer.GetStore())
}

// distributed is how many calls there were for the first handler that works, when all of them have returned.
func (w *World) distributed() int {
	for _, h := range w.Handlers {
		if !h.IsStuck() && h.agrees(w.Informer.GetStore()) {
			return h.Calls().all()
		}
	}
	return -1 // not yet
}

// Has says whether the store has an object in this version.
func (w *World) Has(object *corev1.ConfigMap) bool {
	stored, exists, err := w.Informer.GetStore().Get(object)
	return err == nil && exists && stored.(*corev1.ConfigMap).ResourceVersion == object.ResourceVersion
}

// HasNot says whether the store has no object of this name.
func (w *World) HasNot(name cache.ObjectName) bool {
	_, exists, err := w.Informer.GetStore().GetByKey(name.String())
	return err == nil && !exists
}

// Until waits for something to be so, and looks often.
func Until(ctx context.Context, so func() bool) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
