package scenario

import (
	"maps"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
)

// Handler is a cache.ResourceEventHandler that knows what it was told, counts its calls, and can be stuck.
type Handler struct {
	// Name is what the demo calls it.
	Name string
	// Registration is what the informer gave for it. World.Join sets it.
	Registration *informer.Registration
	// Called, if it is set, is called at the beginning of each call.
	Called func(call string, old, new any)

	lock  sync.Mutex // guards what is below
	known map[string]string
	calls Calls
	in    int           // calls that it has not returned from
	gate  chan struct{} // what a call waits for; nil while the handler is not stuck
}

// Calls are how often a handler has returned, by what it was told.
type Calls struct{ Initial, Add, Update, Delete int }

func (c Calls) all() int { return c.Initial + c.Add + c.Update + c.Delete }

// NewHandler makes a handler that works.
func NewHandler(name string) *Handler { return &Handler{Name: name, known: map[string]string{}} }

// Stick has the handler be stuck from its next call on.
func (h *Handler) Stick() *Handler {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.gate = make(chan struct{})
	return h
}

// Release has it go on.
func (h *Handler) Release() {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.gate != nil {
		close(h.gate)
		h.gate = nil
	}
}

// IsStuck says whether it is.
func (h *Handler) IsStuck() bool {
	h.lock.Lock()
	defer h.lock.Unlock()
	return h.gate != nil
}

// InCall says whether it has been called and has not returned.
func (h *Handler) InCall() bool {
	h.lock.Lock()
	defer h.lock.Unlock()
	return h.in > 0
}

// Calls are those that it has returned from.
func (h *Handler) Calls() Calls {
	h.lock.Lock()
	defer h.lock.Unlock()
	return h.calls
}

// Knows is the version in which the handler knows an object, or "-".
func (h *Handler) Knows(name string) string {
	h.lock.Lock()
	defer h.lock.Unlock()
	if version, is := h.known[name]; is {
		return version
	}
	return nothing
}

// agrees says whether the handler knows what a store has.
func (h *Handler) agrees(store cache.Store) bool {
	h.lock.Lock()
	defer h.lock.Unlock()
	return maps.Equal(h.known, versions(store))
}

// OnAdd implements cache.ResourceEventHandler, as do the others.
func (h *Handler) OnAdd(object any, isInInitialList bool) {
	defer h.enter("OnAdd", nil, object)()
	if isInInitialList {
		h.calls.Initial++
	} else {
		h.calls.Add++
	}
	h.learn(object)
}

// OnUpdate notes the new version.
func (h *Handler) OnUpdate(old, object any) {
	defer h.enter("OnUpdate", old, object)()
	h.calls.Update++
	h.learn(object)
}

// OnDelete forgets an object.
func (h *Handler) OnDelete(object any) {
	defer h.enter("OnDelete", object, nil)()
	h.calls.Delete++
	delete(h.known, Name(object))
}

func (h *Handler) learn(object any) {
	h.known[Name(object)] = object.(*corev1.ConfigMap).ResourceVersion
}

// enter begins a call, waits while the handler is stuck, and returns with the lock, and with what ends the call.
func (h *Handler) enter(call string, old, object any) (leave func()) {
	h.lock.Lock()
	h.in++
	gate := h.gate
	h.lock.Unlock()
	if h.Called != nil {
		h.Called(call, old, object)
	}
	if gate != nil {
		<-gate
	}
	h.lock.Lock()
	return func() { h.in--; h.lock.Unlock() }
}
