package fifo_test

import (
	"testing"

	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo/fifotest"
)

// TestDeltaFIFO gives the queue to the suite that compares it with client-go's, and holds it to what that promises.
func TestDeltaFIFO(t *testing.T) {
	fifotest.Delta(t, func(o cache.DeltaFIFOOptions) cache.Queue { return ourDelta(o) })
}

// TestRealFIFO does the same with the other queue.
func TestRealFIFO(t *testing.T) {
	fifotest.Real(t, func(o cache.RealFIFOOptions) cache.QueueWithBatch { return ourReal(o) })
}

func ourDelta(o cache.DeltaFIFOOptions) *fifo.DeltaFIFO {
	return fifo.NewDeltaFIFO(fifo.DeltaFIFOOptions{Name: o.Name, Logger: o.Logger, KeyFunction: o.KeyFunction,
		KnownObjects: o.KnownObjects, EmitDeltaTypeReplaced: o.EmitDeltaTypeReplaced, Transformer: o.Transformer})
}

func ourReal(o cache.RealFIFOOptions) *fifo.RealFIFO {
	return fifo.NewRealFIFO(fifo.RealFIFOOptions{Name: o.Name, Logger: o.Logger, KeyFunction: o.KeyFunction,
		KnownObjects: o.KnownObjects, Transformer: o.Transformer, AtomicEvents: o.AtomicEvents,
		UnlockWhileProcessing: o.UnlockWhileProcessing, EmitDeltaTypeBookmark: o.EmitDeltaTypeBookmark})
}
