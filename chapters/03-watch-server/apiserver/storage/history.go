package storage

import (
	"fmt"
	"sort"
)

// change is one write: the object before it and after it.
type change struct {
	revision      uint64
	before, after *Object // nil when there was none, or is none any more
	gone          *Object // before, under this revision; made when the first watcher needs it
}

// ExpiredError says that the window no longer reaches back to the revision asked for.
type ExpiredError struct{ Asked, Oldest uint64 }

// Error is upstream's message, word for word: it is what people search for.
func (e *ExpiredError) Error() string {
	return fmt.Sprintf("too old resource version: %d (%d)", e.Asked, e.Oldest)
}

// history is the window: a ring with the latest changes of one resource.
//
// Upstream: watchCacheHistory in k8s.io/apiserver/pkg/storage/cacher, which also grows and shrinks
// so that it reaches 75 seconds back.
type history struct {
	ring  []*change
	size  int    // changes in the ring
	next  int    // where the next one goes
	floor uint64 // every change after this revision is in the ring; 0 can't be: revisions begin at 1
}

func newHistory(capacity int, floor uint64) *history {
	return &history{ring: make([]*change, capacity), floor: floor}
}

// add takes the newest change, and forgets the oldest when the ring is full.
func (h *history) add(c *change) {
	if oldest := h.ring[h.next]; oldest != nil {
		h.floor = oldest.revision
	}
	h.ring[h.next] = c
	h.next = (h.next + 1) % len(h.ring)
	h.size = min(h.size+1, len(h.ring))
}

// since returns the changes after a revision, oldest first, or an ExpiredError when one of them
// has been forgotten. The floor itself is fine to resume from: what is forgotten is not after it.
func (h *history) since(revision uint64) ([]*change, error) {
	if revision < h.floor {
		return nil, &ExpiredError{Asked: revision, Oldest: h.floor}
	}
	nth := func(i int) *change { return h.ring[(h.next-h.size+i+len(h.ring))%len(h.ring)] }
	first := sort.Search(h.size, func(i int) bool { return nth(i).revision > revision })
	changes := make([]*change, 0, h.size-first)
	for i := first; i < h.size; i++ {
		changes = append(changes, nth(i))
	}
	return changes, nil
}
