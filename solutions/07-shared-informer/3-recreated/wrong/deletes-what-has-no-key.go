// Breaks: A call is ignored if it brings something else than a metav1.Object or a tombstone, such as nil.
// Caught by: TestWhatIsNoObject
// Message: interface conversion

//go:build wrong

package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

func (h *handler) OnDelete(obj any) {
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		last, lives := h.living[tombstone.Key]
		delete(h.living, tombstone.Key)
		if lives {
			h.tell.Died(last, false)
		}
		return
	}
	obj = obj.(metav1.Object)
	key, ok := keyOf(obj)
	last, lives := h.living[key]
	if !ok || !lives {
		return
	}
	delete(h.living, key)
	deleted, final := obj.(metav1.Object)
	final = final && deleted.GetUID() == last.GetUID()
	if final {
		last = deleted
	}
	h.tell.Died(last, final)
}
