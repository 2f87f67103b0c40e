package fifo

import (
	"sync"

	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// queue is what both queues have: a line of elements, who may touch it, and how to wait for the next one.
type queue[T any] struct {
	name      string
	logger    klog.Logger
	keyFunc   cache.KeyFunc
	transform cache.TransformFunc // nil: none

	lock    sync.Mutex // guards what is below it, and what the queue around it adds
	changed sync.Cond  // somebody joined the line, or the queue was closed
	waiting line[T]
	closed  bool
	first   firstBatch
}

// init fills in what the options leave out. kind is the name of a queue that is given none.
func (q *queue[T]) init(kind, name string, logger *klog.Logger, key cache.KeyFunc, transform cache.TransformFunc) {
	q.name, q.logger, q.keyFunc, q.transform = kind, klog.Background(), key, transform
	if name != "" {
		q.name = name
	}
	if logger != nil {
		q.logger = *logger
	}
	q.logger = klog.LoggerWithName(q.logger, q.name)
	if q.keyFunc == nil {
		q.keyFunc = cache.MetaNamespaceKeyFunc
	}
	q.changed.L = &q.lock
	q.first.done = make(chan struct{})
}

// join puts an element at the end. All who wait look again: one of them gets it, and the others wait on. The caller
// holds the lock.
func (q *queue[T]) join(element T) {
	q.waiting.join(element)
	q.changed.Broadcast()
}

// wait returns when something is in the line, or cache.ErrFIFOClosed when nothing is and nothing will be waited for.
// Several may have been woken for one element, so each looks again. The caller holds the lock; wait gives it back
// meanwhile.
func (q *queue[T]) wait() error {
	for q.waiting.len() == 0 {
		if q.closed {
			return cache.ErrFIFOClosed
		}
		q.changed.Wait()
	}
	return nil
}

// Close ends waiting: a Pop that finds nothing returns cache.ErrFIFOClosed from now on. What is in the queue can still
// be popped, and what is added still comes in. Closing again does nothing.
//
// Upstream: cache.Queue.Close, in tools/cache/fifo.go.
func (q *queue[T]) Close() {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.closed = true
	q.changed.Broadcast()
}

// IsClosed says whether Close was called.
//
// Upstream: DeltaFIFO.IsClosed and RealFIFO.IsClosed.
func (q *queue[T]) IsClosed() bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.closed
}

// Transformer is the function that each object passes on its way in, or nil. A reflector asks for it, to shrink the
// objects of a long list before it hands them over.
//
// Upstream: cache.TransformingStore, in tools/cache/reflector.go.
func (q *queue[T]) Transformer() cache.TransformFunc { return q.transform }

// key is the key function, with two exceptions: a tombstone knows its key, and deltas have that of their last object.
// An error is a cache.KeyError, which says what has no key.
func (q *queue[T]) key(obj any) (string, error) {
	object := obj
	if deltas, ok := obj.(cache.Deltas); ok {
		if len(deltas) == 0 {
			return "", cache.KeyError{Obj: obj, Err: cache.ErrZeroLengthDeltasObject}
		}
		object = deltas.Newest().Object
	}
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return tombstone.Key, nil
	}
	key, err := q.keyFunc(object)
	if err != nil {
		return "", cache.KeyError{Obj: obj, Err: err}
	}
	return key, nil
}

// transformed is what the queue keeps of an object. A tombstone holds an object that has passed the transformer before.
func (q *queue[T]) transformed(obj any) (any, error) {
	if _, isTombstone := obj.(cache.DeletedFinalStateUnknown); isTombstone || q.transform == nil {
		return obj, nil
	}
	return q.transform(obj)
}
