// Misconception: a tombstone has the newest state.
// Caught by: TestTombstones
// Message: the belief that a tombstone has the newest state.

//go:build wrong

package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

func (h *handler) OnDelete(obj any) {
	key, ok := keyOf(obj)
	last, lives := h.living[key]
	if !ok || !lives {
		return
	}
	delete(h.living, key)
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		if held, ok := tombstone.Obj.(metav1.Object); ok {
			last = held
		}
		h.tell.Died(last, false)
		return
	}
	deleted, final := obj.(metav1.Object)
	final = final && deleted.GetUID() == last.GetUID()
	if final {
		last = deleted
	}
	h.tell.Died(last, final)
}
