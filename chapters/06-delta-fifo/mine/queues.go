package main

import (
	"errors"
	"slices"

	"k8s.io/client-go/tools/cache"

	dedup "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/2-dedup"
	batches "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/3-batches"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
)

// queue is what a Reflector writes into and a consumer pops from. pop returns cache.ErrFIFOClosed when the queue is
// closed and nothing is left.
type queue interface {
	cache.ReflectorStore
	Close()
	pop(process func([]cache.Delta) error) error
}

// inOrder is the book's RealFIFO, with the reader's tombstones.
type inOrder struct{ *fifo.RealFIFO }

func (q inOrder) pop(process func([]cache.Delta) error) error {
	_, err := q.Pop(func(object any, _ bool) error { return process(object.(cache.Deltas)) })
	return err
}

// byKey is the reader's queue of deltas. What it does not know of, a list and a resync, becomes calls that it knows.
type byKey struct {
	*dedup.Queue
	known cache.KeyListerGetter
	gone  fifo.Gone
}

func (q byKey) pop(process func([]cache.Delta) error) error {
	return q.Pop(func(deltas cache.Deltas) error { return process(deltas) })
}

// Replace implements cache.ReflectorStore.
func (q byKey) Replace(list []any, _ string) error {
	for _, object := range sorted(list) {
		if err := q.Update(object); err != nil {
			return err
		}
	}
	tombstones, err := q.gone(nil, q.known, list, cache.MetaNamespaceKeyFunc)
	for _, tombstone := range tombstones {
		err = errors.Join(err, q.Delete(tombstone))
	}
	return err
}

// Resync implements cache.ReflectorStore.
func (q byKey) Resync() (err error) {
	for _, key := range slices.Sorted(slices.Values(q.known.ListKeys())) {
		if object, exists, _ := q.known.GetByKey(key); exists {
			err = errors.Join(err, q.Sync(object))
		}
	}
	return err
}

// inBatches is the reader's queue of batches.
type inBatches struct{ *batches.Queue }

func (q inBatches) pop(process func([]cache.Delta) error) error {
	err := q.PopBatch(func(batch []batches.Delta) error {
		deltas := make([]cache.Delta, len(batch))
		for i, d := range batch {
			deltas[i] = cache.Delta{Type: cache.DeltaType(d.Type), Object: d.Object}
		}
		return process(deltas)
	})
	if errors.Is(err, batches.ErrClosed) {
		return cache.ErrFIFOClosed
	}
	return err
}

func (q inBatches) add(kind batches.Type, object any) error {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err == nil {
		q.Queue.Add(batches.Delta{Type: kind, Key: key, Object: object})
	}
	return err
}

// Add implements cache.ReflectorStore, as do the next four.
func (q inBatches) Add(object any) error { return q.add(batches.Added, object) }

func (q inBatches) Update(object any) error { return q.add(batches.Updated, object) }

func (q inBatches) Delete(object any) error { return q.add(batches.Deleted, object) }

func (q inBatches) Replace(list []any, resourceVersion string) error {
	all := cache.ReplacedAllInfo{ResourceVersion: resourceVersion, Objects: list}
	q.Queue.Add(batches.Delta{Type: batches.ReplacedAll, Object: all})
	return nil
}

func (q inBatches) Resync() error {
	q.Queue.Add(batches.Delta{Type: batches.SyncAll, Object: cache.SyncAllInfo{}})
	return nil
}
