// Misconception: two sets are the same when their values, in one text, are the same text.
// Caught by: TestAnyText
// Message: , the index is

//go:build wrong

package sets

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	if old, ok := x.sets[key]; ok && fingerprint(old) == fingerprint(set) {
		return nil
	}
	x.Delete(key)
	x.sets[key] = set
	for value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
	return nil
}

func fingerprint(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), ",")
}
