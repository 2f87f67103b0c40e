// Package gone is another right solution of exercise 06.1: it reads the queue from its end, where the first delta of a
// key that it meets is the newest, and turns what it found around.
package gone

import (
	"fmt"
	"slices"

	"k8s.io/client-go/tools/cache"
)

// Tombstones crosses out each key that is answered for: those of the list first, and then whatever it meets.
func Tombstones(
	queued []cache.Delta, known cache.KeyListerGetter, list []any, key cache.KeyFunc,
) ([]cache.DeletedFinalStateUnknown, error) {
	keys := make([]string, len(queued))
	for i, delta := range queued {
		tombstone, ok := delta.Object.(cache.DeletedFinalStateUnknown)
		if ok {
			keys[i] = tombstone.Key
			continue
		}
		var err error
		if keys[i], err = key(delta.Object); err != nil {
			return nil, fmt.Errorf("delta %d of the queue: %w", i, err)
		}
	}
	done := map[string]bool{}
	for i, object := range list {
		k, err := key(object)
		if err != nil {
			return nil, fmt.Errorf("object %d of the list: %w", i, err)
		}
		done[k] = true
	}
	gone := []cache.DeletedFinalStateUnknown{}
	for i := len(queued) - 1; i >= 0; i-- {
		if done[keys[i]] {
			continue
		}
		done[keys[i]] = true
		if queued[i].Type != cache.Deleted {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: keys[i], Obj: queued[i].Object})
		}
	}
	slices.SortFunc(gone, func(a, b cache.DeletedFinalStateUnknown) int {
		return slices.Index(keys, a.Key) - slices.Index(keys, b.Key)
	})
	if known != nil {
		for _, k := range known.ListKeys() {
			if !done[k] {
				gone = append(gone, tombstoneOf(known, k))
			}
		}
	}
	return gone, nil
}

func tombstoneOf(known cache.KeyListerGetter, key string) cache.DeletedFinalStateUnknown {
	object, found, err := known.GetByKey(key)
	if err == nil && found {
		return cache.DeletedFinalStateUnknown{Key: key, Obj: object}
	}
	return cache.DeletedFinalStateUnknown{Key: key}
}
