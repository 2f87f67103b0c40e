// Misconception: the same state is the same pointer.
// Caught by: TestTheSameStateAgain
// Message: the belief that the same state is the same pointer.

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// there is called with what is there now.
func (h *handler) there(obj any) {
	now, ok := obj.(metav1.Object)
	if !ok {
		return
	}
	key, _ := keyOf(now)
	old, lives := h.living[key]
	if lives && old.GetUID() != now.GetUID() {
		h.tell.Died(old, false)
		lives = false
	}
	h.living[key] = now
	switch {
	case !lives:
		h.tell.Born(now)
	case now.GetResourceVersion() == "" || now != old:
		h.tell.Changed(old, now)
	}
}
