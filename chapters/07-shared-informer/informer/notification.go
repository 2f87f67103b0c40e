package informer

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/cache"
)

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

func add(object any, isInInitialList bool) Notification {
	return Notification{kind: added, new: object, isInInitialList: isInInitialList}
}

func update(old, object any) Notification { return Notification{kind: updated, old: old, new: object} }

func remove(object any) Notification { return Notification{kind: deleted, old: object} }

// initial says whether it is an add that a handler needs to have seen to be synced.
func (n *Notification) initial() bool { return n.kind == added && n.isInInitialList }

// isResync says whether nothing has changed: the versions are equal, as in a resync, and as in a re-list of an object
// that stayed as it was. Objects without a version, which a transform may leave behind, have none that could be equal.
func (n *Notification) isResync() bool {
	if n.kind != updated {
		return false
	}
	old, err := meta.Accessor(n.old)
	if err != nil {
		return false
	}
	object, err := meta.Accessor(n.new)
	if err != nil {
		return false
	}
	version := object.GetResourceVersion()
	return version == old.GetResourceVersion() && (version != "" || n.old == n.new)
}

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
