// Misconception: what is in the initial list was there before, and is not born.
// Caught by: TestALife
// Message: the belief that the initial list is not news.

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func (h *handler) OnAdd(obj any, isInInitialList bool) {
	if now, ok := obj.(metav1.Object); ok && isInInitialList {
		key, _ := keyOf(now)
		h.living[key] = now
		return
	}
	h.there(obj)
}
