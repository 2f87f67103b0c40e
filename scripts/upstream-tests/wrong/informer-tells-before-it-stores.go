// Wrong: A handler is told of a change before the store has it.
// Base: chapters/07-shared-informer/informer/deltas.go
// Mechanism: informer
// Upstream: none
// Book: chapters/07-shared-informer/informer TestSuite

//go:build wrong

package informer

func (c *consumer) put(object any, isInInitialList bool) error {
	old, exists := c.stored(object)
	if exists {
		c.handlers.notify(update(old, object))
		return c.store.Update(object)
	}
	c.handlers.notify(add(object, isInInitialList))
	return c.store.Add(object)
}
