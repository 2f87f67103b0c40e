// Misconception: what a handler was told of a life once, it need not be told again.
// Caught by: TestTheSameStateAgain
// Message: the belief that a state that was told once is known for ever.

//go:build wrong

package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

func New(l Lives) cache.ResourceEventHandler {
	return &handler{tell: l, living: map[string]metav1.Object{}, told: map[string]map[string]bool{}}
}

// handler turns what an informer tells into lives.
type handler struct {
	tell   Lives
	living map[string]metav1.Object
	told   map[string]map[string]bool // versions of what lives, by key
}

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
	version := now.GetResourceVersion()
	switch {
	case !lives:
		h.told[key] = map[string]bool{}
		h.tell.Born(now)
	case version == "" || !h.told[key][version]:
		h.tell.Changed(old, now)
	default:
		return
	}
	h.living[key] = now
	h.told[key][version] = true
}
