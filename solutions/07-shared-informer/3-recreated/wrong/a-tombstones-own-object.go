// Misconception: a tombstone of another UID is about another object.
// Caught by: TestTombstones
// Message: Happened: nobody is told

//go:build wrong

package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

func (h *handler) OnDelete(obj any) {
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		held, ok := tombstone.Obj.(metav1.Object)
		last := h.living[tombstone.Key]
		if ok && last != nil && held.GetUID() != last.GetUID() {
			return
		}
	}
	key, ok := keyOf(obj)
	last, lives := h.living[key]
	if !ok || !lives {
		return
	}
	delete(h.living, key)
	deleted, final := obj.(metav1.Object)
	final = final && deleted.GetUID() == last.GetUID()
	if final {
		last = deleted
	}
	h.tell.Died(last, final)
}
