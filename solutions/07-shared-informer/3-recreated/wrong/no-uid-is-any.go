// Breaks: The end is final where OnDelete brings an object with the UID of what lived, and no tombstone.
// Caught by: TestRandomScripts
// Message: not final

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func (h *handler) OnDelete(obj any) {
	key, ok := keyOf(obj)
	last, lives := h.living[key]
	if !ok || !lives {
		return
	}
	delete(h.living, key)
	deleted, final := obj.(metav1.Object)
	final = final && (deleted.GetUID() == "" || deleted.GetUID() == last.GetUID())
	if final {
		last = deleted
	}
	h.tell.Died(last, final)
}
