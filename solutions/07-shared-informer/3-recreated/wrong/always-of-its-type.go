// Breaks: A call is ignored if it brings something else than a metav1.Object or a tombstone, such as nil.
// Caught by: TestWhatIsNoObject
// Message: interface conversion

//go:build wrong

package recreated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// there is called with what is there now.
func (h *handler) there(obj any) {
	now := obj.(metav1.Object)
	key, _ := keyOf(now)
	old, lives := h.living[key]
	if lives && old.GetUID() != now.GetUID() {
		h.tell.Died(old, false)
		lives = false
	}
	h.living[key] = now
	switch version := now.GetResourceVersion(); {
	case !lives:
		h.tell.Born(now)
	case version == "" || version != old.GetResourceVersion():
		h.tell.Changed(old, now)
	}
}
