// Wrong: Of two deletions DeltaFIFO keeps the later one, also if it is a tombstone.
// Base: chapters/06-delta-fifo/fifo/dedup.go
// Mechanism: fifo
// Upstream: none
// Book: chapters/06-delta-fifo/fifo TestSuite

//go:build wrong

package fifo

import "k8s.io/client-go/tools/cache"

func dedup(deltas cache.Deltas) cache.Deltas {
	n := len(deltas)
	if n < 2 || deltas[n-1].Type != cache.Deleted || deltas[n-2].Type != cache.Deleted {
		return deltas
	}
	deltas[n-2] = deltas[n-1]
	return deltas[:n-1]
}
