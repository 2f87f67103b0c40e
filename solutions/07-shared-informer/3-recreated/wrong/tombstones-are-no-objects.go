// Misconception: what is no object can be ignored, as a tombstone.
// Caught by: TestTombstones
// Message: Happened: nobody is told

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func (h *handler) OnDelete(obj any) {
	if _, ok := obj.(metav1.Object); !ok {
		return // wrong: it has a key
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
