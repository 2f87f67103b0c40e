package fifo

import "k8s.io/client-go/tools/cache"

// dedup makes one of the last two deltas of a key, if both are deletions. Nothing else is merged: whoever pops sees
// each state that an object had.
//
// Of the two deletions the one with the object is kept, and the earlier one of two objects: a tombstone's object is
// only the last that somebody happened to see.
//
// Upstream: dedupDeltas, in tools/cache/delta_fifo.go.
func dedup(deltas cache.Deltas) cache.Deltas {
	n := len(deltas)
	if n < 2 || deltas[n-1].Type != cache.Deleted || deltas[n-2].Type != cache.Deleted {
		return deltas
	}
	if _, isTombstone := deltas[n-2].Object.(cache.DeletedFinalStateUnknown); isTombstone {
		deltas[n-2] = deltas[n-1]
	}
	return deltas[:n-1]
}
