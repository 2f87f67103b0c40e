// Misconception: an object with a deletionTimestamp is gone.
// Caught by: TestALife
// Message: the belief that a deletionTimestamp is the end.

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
	if lives && now.GetDeletionTimestamp() != nil { // wrong: it waits for its finalizers
		delete(h.living, key)
		h.tell.Died(now, true)
		return
	}
	h.living[key] = now
	switch version := now.GetResourceVersion(); {
	case !lives:
		h.tell.Born(now)
	case version == "" || version != old.GetResourceVersion():
		h.tell.Changed(old, now)
	}
}
