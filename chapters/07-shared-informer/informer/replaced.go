package informer

import "k8s.io/client-go/tools/cache"

// replace makes the store hold a new list, and notifies of what that changes: deletions first, then the list in its
// order. Nobody saw the deletions happen, so those are tombstones.
//
// What is not in the list is gone. What is in both is an update, also if it is an object of another UID, created after
// the other's deletion: that deletion is nobody's notification.
//
// Upstream: processReplacedAllInfo, in tools/cache/controller.go.
func (c *consumer) replace(list cache.ReplacedAllInfo, isInInitialList bool) error {
	gone, err := c.gone(nil, c.store, list.Objects, cache.DeletionHandlingMetaNamespaceKeyFunc)
	if err != nil {
		return err
	}
	news := make([]Notification, 0, len(gone)+len(list.Objects))
	for _, tombstone := range gone {
		news = append(news, remove(tombstone))
	}
	for _, object := range list.Objects {
		if old, exists := c.stored(object); exists {
			news = append(news, update(old, object))
		} else {
			news = append(news, add(object, isInInitialList))
		}
	}
	if err := c.store.Replace(list.Objects, list.ResourceVersion); err != nil {
		return err
	}
	for _, n := range news {
		c.handlers.notify(n)
	}
	return nil
}
