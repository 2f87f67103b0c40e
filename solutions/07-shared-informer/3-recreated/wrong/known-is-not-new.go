// Misconception: OnAdd of what is known brings nothing new.
// Caught by: TestAddedAgain
// Message: the belief that OnAdd of what is known brings nothing new.

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func (h *handler) OnAdd(obj any, _ bool) {
	if now, ok := obj.(metav1.Object); ok {
		key, _ := keyOf(now)
		if old, lives := h.living[key]; lives && old.GetUID() == now.GetUID() {
			return
		}
	}
	h.there(obj)
}
