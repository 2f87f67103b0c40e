// Package fifotest is what any queue between a reflector and its consumer has to pass: chapter 06's, a reader's, the
// one inside a later chapter's informer. What a queue has to do is what client-go's queue of the same name does, which
// passes, too.
//
// Reading order: suite.go, setup.go, the notation of objects (object.go, known.go) and of what is done with a queue
// (rig.go); then the three parts: sentence.go with the guarantees in sentences, and lock.go; concurrent.go; random.go.
package fifotest

import (
	"testing"

	"k8s.io/client-go/tools/cache"
)

// NewDelta makes an empty queue, as cache.NewDeltaFIFOWithOptions does.
type NewDelta = func(cache.DeltaFIFOOptions) cache.Queue

// NewReal makes an empty queue, as cache.NewRealFIFOWithOptions does.
type NewReal = func(cache.RealFIFOOptions) cache.QueueWithBatch

// Delta runs the suite for a queue that gathers deltas by key: each guarantee that upstream's comments state,
// goroutines that do everything at once, and random operations beside upstream's. Under the race detector it says more.
func Delta(t *testing.T, newQueue NewDelta) {
	fresh := ofDelta(newQueue)
	t.Run("guarantees", func(t *testing.T) {
		t.Run("process runs under the lock", func(t *testing.T) {
			fresh.waits(t, "known", 1, true)
			fresh.waits(t, "", 20, true)
		})
		if !t.Failed() { // a queue that stays locked would stop a bubble
			fresh.holds(t, inQueue, "known", "Sync a1 in initial list when done")
			fresh.holds(t, inDelta, "", "")
		}
	})
	fresh.rest(t, random{fresh, ofDelta(upstreamDelta), deltaSetups, deltaVerbs, "!", true})
}

// Real runs the suite for a queue that keeps each delta in its place; see [Delta].
func Real(t *testing.T, newQueue NewReal) {
	fresh := ofReal(newQueue)
	const informers = setup("atomic unlocks bookmarks")
	t.Run("guarantees", func(t *testing.T) {
		t.Run("process runs under the lock", func(t *testing.T) {
			fresh.waits(t, "known", 1, true)
			fresh.waits(t, "atomic", 1, true)
		})
		t.Run("process runs without the lock below two full batches", func(t *testing.T) {
			fresh.waits(t, informers, 2000, false)
		})
		t.Run("process runs under the lock while two full batches wait", func(t *testing.T) {
			fresh.waits(t, informers, 2001, true)
		})
		if !t.Failed() {
			fresh.holds(t, inQueue, "known", "Replaced a1 in initial list")
			fresh.holds(t, inQueue, informers, "ReplacedAll @7 [a1] in initial list")
			fresh.holds(t, inReal, "", "")
		}
	})
	fresh.rest(t, random{fresh, ofReal(upstreamReal), realSetups, realVerbs, "!?", false})
}

// rest runs the other parts, unless the first has said what is wrong.
func (f queueFunc) rest(t *testing.T, r random) {
	if !t.Failed() {
		t.Run("concurrent", func(t *testing.T) { f.concurrent(t, r.setups) })
		t.Run("random", r.run)
	}
}

func upstreamDelta(o cache.DeltaFIFOOptions) cache.Queue { return cache.NewDeltaFIFOWithOptions(o) }

func upstreamReal(o cache.RealFIFOOptions) cache.QueueWithBatch {
	return cache.NewRealFIFOWithOptions(o)
}
