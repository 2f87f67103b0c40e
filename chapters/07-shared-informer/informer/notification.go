package informer

import "k8s.io/client-go/tools/cache"

// Notification is one call of a handler that is still to be made. Buffers pass it on and do not look inside.
//
// Upstream: addNotification, updateNotification and deleteNotification, in tools/cache/shared_informer.go. Those are
// three types behind an interface, and so each notification is on the heap.
type Notification struct {
	kind            kind
	isInInitialList bool
	old, new        any
}

type kind int8

const (
	added kind = iota
	updated
	deleted
)

// tell makes the call.
func (n *Notification) tell(handler cache.ResourceEventHandler) {
	switch n.kind {
	case added:
		handler.OnAdd(n.new, n.isInInitialList)
	case updated:
		handler.OnUpdate(n.old, n.new)
	case deleted:
		handler.OnDelete(n.old)
	}
}
