// Misconception: OnDelete brings an object.
// Caught by: TestTombstones
// Message: cache.DeletedFinalStateUnknown is not v1.Object: missing method

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func (h *handler) OnDelete(obj any) {
	deleted := obj.(metav1.Object)
	key, _ := keyOf(deleted)
	last, lives := h.living[key]
	if !lives {
		return
	}
	delete(h.living, key)
	final := deleted.GetUID() == last.GetUID()
	if final {
		last = deleted
	}
	h.tell.Died(last, final)
}
