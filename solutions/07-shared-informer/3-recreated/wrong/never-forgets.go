// Breaks: Each is told its end at most once.
// Caught by: TestALife
// Message: Died ns/a u1 v3-deleting, not final; Born ns/a u2 v5

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func (h *handler) OnDelete(obj any) {
	key, ok := keyOf(obj)
	last, lives := h.living[key]
	if !ok || !lives {
		return
	}
	deleted, final := obj.(metav1.Object)
	final = final && deleted.GetUID() == last.GetUID()
	if final {
		last = deleted
	}
	h.tell.Died(last, final)
}
