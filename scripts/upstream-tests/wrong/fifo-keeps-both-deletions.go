// Wrong: DeltaFIFO keeps both of two deletions that follow each other.
// Base: chapters/06-delta-fifo/fifo/dedup.go
// Mechanism: fifo
// Upstream: none
// Book: chapters/06-delta-fifo/fifo TestDeltaFIFO

//go:build wrong

package fifo

import "k8s.io/client-go/tools/cache"

func dedup(deltas cache.Deltas) cache.Deltas { return deltas }
