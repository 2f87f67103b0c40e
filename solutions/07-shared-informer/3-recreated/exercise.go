// Package recreated makes lives of what an informer tells a handler. To an informer an object is its key: where one
// was deleted and another was made under the same key, it may tell of an update.
package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	_ "k8s.io/apimachinery/pkg/types" // a UID is a types.UID
	"k8s.io/client-go/tools/cache"
)

// Lives is told of lives. A life is that of one object under one key, and the UID says which object it is. It begins
// when the handler first hears of it, and ends when it is gone for this informer: an object with a deletionTimestamp
// is still there. The key is what cache.MetaNamespaceKeyFunc returns.
//
// All three functions are there. None of them calls the handler.
type Lives struct {
	// Born begins a life, and brings its first state.
	Born func(obj metav1.Object)
	// Changed brings another state of a life. old is the state that was told before it.
	Changed func(old, now metav1.Object)
	// Died ends a life. If final, last is the object as it was deleted. Otherwise nobody knows its final state, and
	// last is the state that was told last.
	Died func(last metav1.Object, final bool)
}

// New returns a handler that tells l of lives. It is called as follows:
//
//   - One call comes at a time. A key begins with OnAdd, also after OnDelete.
//   - OnAdd may come again while the object is there, with the same state, another one, or another object: a
//     handler can be removed from an informer, miss what happens meanwhile, and be added again.
//   - OnUpdate's old is what the call before it brought for this key. Its new is under the same key, and that is all
//     that is certain: it may be the same state, as in a resync or after a new list, or another object.
//   - OnDelete brings the object as it was deleted, or a cache.DeletedFinalStateUnknown, which is not a pointer. Of
//     that the Key is certain. Its Obj may be nil, an older state than the one that was told last, or another object.
//
// This is what l is told:
//
//   - Each life is born before anything else is told of it, and once, whether the handler hears of it in the
//     initial list, later, or by OnUpdate. Each is told its end at most once.
//   - Each state that OnAdd or OnUpdate brings of what lives is told, also an older one: a new list may come from an
//     API server that lags.
//   - Nobody is told of a state with the resourceVersion of the one before it. But two that are both "" say
//     nothing, since a transformer may have removed them: such a state is told.
//   - Another UID under a key is another object, whatever the resourceVersions say. The life there was has ended
//     without its final state: that is told first, and then the new one is born.
//   - OnDelete ends the life under its key, whatever it brings with it, and no other one. Where nothing lives,
//     nobody is told.
//   - The end is final where OnDelete brings an object with the UID of what lived, and no tombstone. An object with
//     another UID is told to nobody.
//   - What has died may be born again, also with the same UID: it left the informer's selector, and is back.
//   - A UID may be "", as it is in a fake clientset. Then objects under several keys have the same.
//   - l is told before the call returns. Handlers share nothing.
func New(l Lives) cache.ResourceEventHandler {
	//solution:begin
	//todo: what lives, and under which key?
	//stub: return cache.ResourceEventHandlerFuncs{}
	return &handler{tell: l, living: map[string]metav1.Object{}}
	//solution:end
}

//solution:begin

type handler struct {
	tell   Lives
	living map[string]metav1.Object // by key: the last state of what lives
}

func (h *handler) OnAdd(obj any, _ bool) { h.there(obj) }
func (h *handler) OnUpdate(_, obj any)   { h.there(obj) }

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
	switch version := now.GetResourceVersion(); {
	case !lives:
		h.tell.Born(now)
	case version == "" || version != old.GetResourceVersion():
		h.tell.Changed(old, now)
	}
}

func (h *handler) OnDelete(obj any) {
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

func keyOf(obj any) (key string, ok bool) {
	switch o := obj.(type) {
	case cache.DeletedFinalStateUnknown:
		return o.Key, true
	case metav1.Object:
		return cache.MetaObjectToName(o).String(), true
	}
	return "", false
}

//solution:end
