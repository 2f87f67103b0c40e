package scenario

import (
	"errors"

	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
)

// Side is one of the queues that are compared, with a consumer of its own.
type Side struct {
	// Name is what the demo calls it.
	Name string
	// Queue is what is filled and popped.
	Queue cache.Queue
	// Store is the consumer's.
	Store cache.Store
	// Told is what the consumer's handler was told, in its order: "OnAdd(menu)".
	Told []string
	// Say puts what one Pop handed out into words.
	Say func([]cache.Delta) string
}

// NewDelta makes a DeltaFIFO as informers had it: it compares a list with its consumer's store.
func NewDelta(parts fifo.Parts) *Side {
	s := &Side{Name: "DeltaFIFO", Store: newStore(), Say: ofOneObject}
	s.Queue = fifo.NewDeltaFIFO(fifo.DeltaFIFOOptions{
		KnownObjects: s.Store, EmitDeltaTypeReplaced: true, Parts: parts})
	return s
}

// NewReal makes a RealFIFO as informers have it: it knows no store.
func NewReal(parts fifo.Parts) *Side {
	return &Side{Name: "RealFIFO", Store: newStore(), Say: inOrder,
		Queue: fifo.NewRealFIFO(fifo.RealFIFOOptions{AtomicEvents: true, UnlockWhileProcessing: true, Parts: parts})}
}

// newStore makes a store that takes a tombstone by the key that is written on it.
func newStore() cache.Store {
	return store.New(cache.DeletionHandlingMetaNamespaceKeyFunc, cache.Indexers{})
}

// CatchUp processes the first list, and forgets what the handler was told of it.
func (s *Side) CatchUp() error {
	for !s.Queue.HasSynced() {
		if _, err := s.Queue.Pop(s.Process); err != nil {
			return err
		}
	}
	s.Told = nil
	return nil
}

// Drain closes the queue and pops what is in it. Each Pop becomes a line.
func (s *Side) Drain(process cache.PopProcessFunc) (lines []string, err error) {
	s.Queue.Close()
	for {
		popped, err := s.Queue.Pop(process)
		if errors.Is(err, cache.ErrFIFOClosed) {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		lines = append(lines, s.Say(popped.(cache.Deltas)))
	}
}

// DrainBatches is Drain for a queue that has batches. Each batch becomes a line.
func (s *Side) DrainBatches() (lines []string, err error) {
	s.Queue.Close()
	batch := func(popped []cache.Delta, isInInitialList bool) error {
		lines = append(lines, s.Say(popped))
		return s.ProcessBatch(popped, isInInitialList)
	}
	single := func(popped any, isInInitialList bool) error {
		return batch(popped.(cache.Deltas), isInInitialList)
	}
	for err == nil {
		err = s.Queue.(cache.QueueWithBatch).PopBatch(batch, single)
	}
	if errors.Is(err, cache.ErrFIFOClosed) {
		err = nil
	}
	return lines, err
}
