// Misconception: the order of a birth and a death does not matter.
// Caught by: TestAnotherUIDIsAnotherLife
// Message: the belief that the order of the two does not matter.

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
	h.living[key] = now
	switch version := now.GetResourceVersion(); {
	case !lives:
		h.tell.Born(now)
	case old.GetUID() != now.GetUID():
		h.tell.Born(now) // wrong: the other is not dead
		h.tell.Died(old, false)
	case version == "" || version != old.GetResourceVersion():
		h.tell.Changed(old, now)
	}
}
