// Misconception: a state with a lesser resourceVersion is old news.
// Caught by: TestTheSameStateAgain
// Message: the belief that a resourceVersion can be less than another.

//go:build wrong

package recreated

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// there is called with what is there now.
func (h *handler) there(obj any) {
	now, ok := obj.(metav1.Object)
	if !ok {
		return
	}
	key, _ := keyOf(now)
	old, lives := h.living[key]
	if lives && old.GetUID() == now.GetUID() && number(now) < number(old) {
		return
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

func number(obj metav1.Object) int {
	n, err := strconv.Atoi(obj.GetResourceVersion())
	if err != nil {
		return 1 << 62
	}
	return n
}
