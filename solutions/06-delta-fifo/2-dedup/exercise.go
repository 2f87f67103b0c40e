// Package dedup is a queue of deltas: for each key it keeps all that has happened, until somebody asks.
package dedup

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

//solution:forbidden k8s.io/client-go/tools/cache.NewDeltaFIFO
//solution:forbidden k8s.io/client-go/tools/cache.NewDeltaFIFOWithOptions
//solution:forbidden k8s.io/client-go/tools/cache.NewRealFIFO
//solution:forbidden k8s.io/client-go/tools/cache.NewRealFIFOWithOptions

// Queue holds deltas that wait, by the key of their object. Add, Update, Delete and Sync put one into the queue;
// Pop takes out all those of a key.
//
//   - Any number of goroutines may call any of the methods at once; Close is called at most once.
//   - The key of an object is what key returns for it, also "". Only Delete is given tombstones, which are of the type
//     cache.DeletedFinalStateUnknown: the key of one is its Key, and key is not called with it.
//   - When key returns an error, so does the method, and the queue is as before. errors.Is finds it.
//   - A delta has the type that belongs to the method, Added, Updated, Deleted or Sync, and the object that the
//     method was given. It comes after the deltas of its key that wait already.
//   - All deltas of a key stay, in this order, also equal ones. There are two exceptions: see Delete and Sync.
//   - A key has a place among the keys while any delta of it waits. It comes after all others when its
//     first delta comes, and stays there when more come.
//   - What has been popped does not count any more: after that a key is like one that never was there.
//   - Two queues share no keys and no deltas. Nobody has to close one: no goroutine is left behind.
type Queue struct {
	key cache.KeyFunc

	//solution:begin
	//todo: add the fields you need
	mu      sync.Mutex // guards what follows
	news    *sync.Cond // a key came, or the end
	keys    []string   // the keys of waiting, in order
	waiting map[string]cache.Deltas
	closed  bool
	//solution:end
}

// New returns an empty queue. Several goroutines may call key at once, also with a lock held: key is quick, and calls
// no method of any queue.
func New(key cache.KeyFunc) *Queue {
	//solution:begin
	//todo: make what your fields need
	//stub: return &Queue{key: key}
	q := &Queue{key: key, waiting: map[string]cache.Deltas{}}
	q.news = sync.NewCond(&q.mu)
	return q
	//solution:end
}

// Add says that there is a new object.
func (q *Queue) Add(object any) error {
	//solution:begin
	//todo: put an Added into the queue
	//stub: return nil
	return q.put(cache.Delta{Type: cache.Added, Object: object})
	//solution:end
}

// Update says that an object has changed.
func (q *Queue) Update(object any) error {
	//solution:begin
	//todo: put an Updated into the queue
	//stub: return nil
	return q.put(cache.Delta{Type: cache.Updated, Object: object})
	//solution:end
}

// Delete says that an object is gone. That may be said twice, by a watch and by a list.
//
//   - If the newest delta of the key is a Deleted, it and the new one become one, which has the object of the
//     older one or, where that is a tombstone, of the newer one.
//   - Otherwise the Deleted stays like all others, also when no other delta of the key waits.
func (q *Queue) Delete(object any) error {
	//solution:begin
	//todo: put a Deleted into the queue, or make one of two
	//stub: return nil
	return q.put(cache.Delta{Type: cache.Deleted, Object: object})
	//solution:end
}

// Sync says that nothing has happened to an object, which the consumer is to look at all the same.
//
//   - If any delta of the key waits, nothing is put into the queue: whoever is to look at the object will,
//     and at a newer state of it.
func (q *Queue) Sync(object any) error {
	//solution:begin
	//todo: put a Sync into the queue, or nothing
	//stub: return nil
	return q.put(cache.Delta{Type: cache.Sync, Object: object})
	//solution:end
}

// Pop takes the first of the keys out of the queue, calls process with all its deltas, the oldest first, and
// returns nil or, if process returns one, an error in which errors.Is finds that of process.
//
//   - While there is no key, Pop waits. It does not look again and again: it goes on at the moment when
//     there is something for it, and until then it costs no time of a processor.
//   - Several Pops may wait, and each key that comes is for one of them, whichever that is. No Pop waits
//     while a key does, except for another Pop's process.
//   - process is called once, in the goroutine that called Pop. It calls no method of any queue and
//     does not panic.
//   - From the moment when the key is taken out until process has returned, no process of another Pop is called,
//     and no Add, Update, Delete or Sync returns, also one that puts nothing into the queue: so what process
//     writes changes together with the queue. Only a call for which key returns an error need not wait.
//   - The deltas are out of the queue also when process returns an error.
//   - The slice belongs to process, which may keep it, change it and append to it.
//   - When the queue is closed and there is no key, Pop returns cache.ErrFIFOClosed without a call of process.
func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	//solution:begin
	//todo: wait for a key, and hand over what there is of it
	//stub: return cache.ErrFIFOClosed
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.keys) == 0 {
		if q.closed {
			return cache.ErrFIFOClosed
		}
		q.news.Wait()
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	return process(deltas)
	//solution:end
}

// Close says that Pop need not wait any longer.
//
//   - Close is called at most once, also while Pops wait and while a process runs. It may
//     wait for that process, or not.
//   - Every Pop that waits for a key returns.
//   - What is in the queue stays there and can be popped, and so can what comes later. A key that came before
//     Close is popped by a Pop that waited then, if there is one.
func (q *Queue) Close() {
	//solution:begin
	//todo: let nobody wait
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.news.Broadcast()
	//solution:end
}

//solution:begin

// put adds a delta to those of its key.
func (q *Queue) put(delta cache.Delta) error {
	k, err := q.keyOf(delta.Object)
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	deltas := q.waiting[k]
	switch last := len(deltas) - 1; {
	case last < 0:
		q.keys = append(q.keys, k)
		q.waiting[k] = cache.Deltas{delta}
		q.news.Signal()
	case delta.Type == cache.Sync:
	case delta.Type == cache.Deleted && deltas[last].Type == cache.Deleted:
		if _, ok := deltas[last].Object.(cache.DeletedFinalStateUnknown); ok {
			deltas[last] = delta
		}
	default:
		q.waiting[k] = append(deltas, delta)
	}
	return nil
}

// keyOf is the key of an object or of a tombstone.
func (q *Queue) keyOf(object any) (string, error) {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return tombstone.Key, nil
	}
	return q.key(object)
}

//solution:end
