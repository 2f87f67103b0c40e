// Misconception: what has the same resourceVersion is the same.
// Caught by: TestAnotherUIDIsAnotherLife
// Message: the belief that what has the same resourceVersion is the same.

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
	if version := now.GetResourceVersion(); lives && version != "" && version == old.GetResourceVersion() {
		return // wrong: maybe another one
	}
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
