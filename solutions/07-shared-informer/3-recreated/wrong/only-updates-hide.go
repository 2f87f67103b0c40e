// Misconception: only OnUpdate can hide a deletion.
// Caught by: TestAddedAgain
// Message: the belief that only OnUpdate hides a deletion.

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func (h *handler) OnAdd(obj any, _ bool) {
	if now, ok := obj.(metav1.Object); ok {
		key, _ := keyOf(now)
		old, lives := h.living[key]
		if lives && old.GetUID() != now.GetUID() {
			h.living[key] = now
			h.tell.Changed(old, now)
			return
		}
	}
	h.there(obj)
}
