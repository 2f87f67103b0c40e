// Misconception: the deletion of another object says nothing about the one that lives.
// Caught by: TestTheDeletionOfAnother
// Message: the belief that the deletion of u2 says nothing about u1.

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func (h *handler) OnDelete(obj any) {
	if deleted, ok := obj.(metav1.Object); ok {
		key, _ := keyOf(deleted)
		if last := h.living[key]; last != nil && last.GetUID() != deleted.GetUID() {
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
