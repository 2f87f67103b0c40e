// Misconception: OnAdd tells of what is new.
// Caught by: TestAddedAgain
// Message: the belief that OnAdd tells of what is new.

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func (h *handler) OnAdd(obj any, _ bool) {
	if now, ok := obj.(metav1.Object); ok {
		key, _ := keyOf(now)
		h.living[key] = now
		h.tell.Born(now)
	}
}
