// Misconception: whoever is deleted was born.
// Caught by: TestTheDeletionOfAnother
// Message: the belief that whoever is deleted was born.

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
	if deleted, ok := obj.(metav1.Object); ok {
		h.tell.Died(deleted, true)
		return
	}
	h.tell.Died(last, false)
}
