// Breaks: But two that are both "" say nothing, since a transformer may have removed them: such a state is told.
// Caught by: TestTheSameStateAgain
// Message: Changed ns/a u1 y to ns/a u1 y

//go:build wrong

package recreated

import (
	"reflect"

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
	if lives && old.GetUID() != now.GetUID() {
		h.tell.Died(old, false)
		lives = false
	}
	h.living[key] = now
	switch {
	case !lives:
		h.tell.Born(now)
	case !reflect.DeepEqual(now, old):
		h.tell.Changed(old, now)
	}
}
