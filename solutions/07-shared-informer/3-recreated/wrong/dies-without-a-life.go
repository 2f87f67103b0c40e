// Breaks: Where nothing lives, nobody is told.
// Caught by: TestWhereNothingLives
// Message: Happened: Died ns/a u1 v2, final

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func (h *handler) OnDelete(obj any) {
	key, ok := keyOf(obj)
	last, lives := h.living[key]
	if deleted, isObject := obj.(metav1.Object); isObject && !lives {
		h.tell.Died(deleted, true)
		return
	}
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
