package informer

import (
	"errors"
	"fmt"

	"k8s.io/client-go/tools/cache"
)

// processBatch is a cache.ProcessBatchFunc, for deltas of different objects. A store that knows transactions takes them
// all at once, and then handlers hear of one after the other.
//
// Upstream: handleBatchDeltas in tools/cache/shared_informer.go, and processDeltasInBatch in controller.go.
func (c *consumer) processBatch(deltas []cache.Delta, isInInitialList bool) error {
	c.handlers.lock.Lock()
	defer c.handlers.lock.Unlock()
	store, ok := c.store.(cache.TransactionStore)
	if !ok {
		return c.oneByOne(deltas, isInInitialList)
	}
	transactions := make([]cache.Transaction, 0, len(deltas))
	news := make([]Notification, 0, len(deltas))
	for _, delta := range deltas {
		transaction, n, err := c.plan(delta, isInInitialList)
		if err != nil {
			return err
		}
		transactions = append(transactions, transaction)
		news = append(news, n)
	}
	if err := store.Transaction(transactions...); err != nil {
		for _, i := range err.SuccessfulIndices {
			c.handlers.notify(news[i])
		}
		return fmt.Errorf("not all of a batch of %d changes was taken in: %w", len(deltas), err)
	}
	for _, n := range news {
		c.handlers.notify(n)
	}
	return nil
}

// plan is what a delta means to the store and to handlers. No other delta of the batch has its key, so the store is
// asked before any of them is made.
func (c *consumer) plan(delta cache.Delta, isInInitialList bool) (cache.Transaction, Notification, error) {
	object := delta.Object
	switch delta.Type {
	case cache.Added, cache.Updated, cache.Replaced, cache.Sync:
		if old, exists := c.stored(object); exists {
			return cache.Transaction{Type: cache.TransactionTypeUpdate, Object: object}, update(old, object), nil
		}
		return cache.Transaction{Type: cache.TransactionTypeAdd, Object: object}, add(object, isInInitialList), nil
	case cache.Deleted:
		return cache.Transaction{Type: cache.TransactionTypeDelete, Object: object}, remove(object), nil
	}
	return cache.Transaction{}, Notification{}, fmt.Errorf("a batch holds a delta of type %s", delta.Type)
}

// oneByOne is what a store gets that knows no transactions. One that fails does not keep the others away.
func (c *consumer) oneByOne(deltas []cache.Delta, isInInitialList bool) error {
	var failed []error
	for _, delta := range deltas {
		failed = append(failed, c.apply(delta, isInInitialList))
	}
	return errors.Join(failed...)
}
