// Breaks: Then objects under several keys have the same.
// Caught by: TestWithoutUIDs
// Message: Happened: Changed ns/a no-uid v1 to ns/b no-uid v2

//go:build wrong

package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// New returns a handler that tells l of lives.
func New(l Lives) cache.ResourceEventHandler {
	return &handler{tell: l, uids: map[string]string{}, living: map[string]metav1.Object{}}
}

type handler struct {
	tell   Lives
	uids   map[string]string        // by key
	living map[string]metav1.Object // by UID
}

// there is called with what is there now.
func (h *handler) there(obj any) {
	now, ok := obj.(metav1.Object)
	if !ok {
		return
	}
	key, _ := keyOf(now)
	uid, lives := h.uids[key]
	if lives && uid != string(now.GetUID()) {
		last := h.living[uid]
		delete(h.living, uid)
		h.tell.Died(last, false)
	}
	h.uids[key] = string(now.GetUID())
	old, lives := h.living[h.uids[key]]
	h.living[h.uids[key]] = now
	switch version := now.GetResourceVersion(); {
	case !lives:
		h.tell.Born(now)
	case version == "" || version != old.GetResourceVersion():
		h.tell.Changed(old, now)
	}
}

func (h *handler) OnDelete(obj any) {
	key, ok := keyOf(obj)
	uid, lives := h.uids[key]
	if !ok || !lives {
		return
	}
	last := h.living[uid]
	delete(h.uids, key)
	delete(h.living, uid)
	deleted, final := obj.(metav1.Object)
	final = final && deleted.GetUID() == last.GetUID()
	if final {
		last = deleted
	}
	h.tell.Died(last, final)
}
