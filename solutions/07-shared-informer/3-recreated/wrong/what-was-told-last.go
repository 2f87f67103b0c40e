// Breaks: If final, last is the object as it was deleted.
// Caught by: TestALife
// Message: Happened: Died ns/a u1 v3-deleting, final

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
	final = final && deleted.GetUID() == last.GetUID()
	h.tell.Died(last, final)
}
