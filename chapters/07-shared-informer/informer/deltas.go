package informer

import (
	"fmt"

	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
)

// consumer makes the changes that deltas tell of. A handler may look into the store as soon as it is notified, so the
// store changes first.
type consumer struct {
	store    cache.Indexer
	gone     fifo.Gone
	handlers *distributor
}

// process is a cache.ProcessFunc, for one delta or some of one object.
//
// Upstream: handleDeltas in tools/cache/shared_informer.go, and processDeltas in controller.go.
func (c *consumer) process(popped any, isInInitialList bool) error {
	deltas, ok := popped.(cache.Deltas)
	if !ok {
		return fmt.Errorf("the queue handed out a %T, and not cache.Deltas", popped)
	}
	c.handlers.lock.Lock()
	defer c.handlers.lock.Unlock()
	for _, delta := range deltas {
		if err := c.apply(delta, isInInitialList); err != nil {
			return err
		}
	}
	return nil
}

// apply makes the change of one delta. The caller holds the handlers' lock.
func (c *consumer) apply(delta cache.Delta, isInInitialList bool) error {
	switch object := delta.Object.(type) {
	case cache.ReplacedAllInfo:
		return c.replace(object, isInInitialList)
	case cache.SyncAllInfo:
		for _, stored := range c.store.List() {
			c.handlers.notify(update(stored, stored))
		}
		return nil
	case cache.BookmarkInfo:
		c.store.Bookmark(object.ResourceVersion)
		return nil
	}
	switch delta.Type {
	case cache.Added, cache.Updated, cache.Replaced, cache.Sync:
		return c.put(delta.Object, isInInitialList)
	case cache.Deleted:
		if err := c.store.Delete(delta.Object); err != nil {
			return err
		}
		c.handlers.notify(remove(delta.Object))
		return nil
	}
	return fmt.Errorf("a delta of type %s holds a %T", delta.Type, delta.Object)
}

// put stores an object. The store decides whether it is new, and not the delta: a watch that begins anew says of each
// object that it was added.
func (c *consumer) put(object any, isInInitialList bool) error {
	old, exists := c.stored(object)
	if exists {
		if err := c.store.Update(object); err != nil {
			return err
		}
		c.handlers.notify(update(old, object))
		return nil
	}
	if err := c.store.Add(object); err != nil {
		return err
	}
	c.handlers.notify(add(object, isInInitialList))
	return nil
}

// stored is what the store has under the object's key.
func (c *consumer) stored(object any) (old any, exists bool) {
	old, exists, err := c.store.Get(object)
	return old, exists && err == nil
}
