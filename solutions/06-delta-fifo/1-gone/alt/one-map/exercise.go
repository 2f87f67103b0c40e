// Package gone is another right solution of exercise 06.1: it writes down what is there as if the queue had been
// processed, and takes out what the list has.
package gone

import "k8s.io/client-go/tools/cache"

// state is what is known of a key in the end.
type state struct {
	object any
	there  bool
}

// Tombstones lets the deltas happen, then the consumer's objects where no delta says more, then the list.
func Tombstones(
	queued []cache.Delta, known cache.KeyListerGetter, list []any, key cache.KeyFunc,
) (gone []cache.DeletedFinalStateUnknown, err error) {
	states := map[string]*state{}
	var order []string
	meet := func(k string) (s *state, first bool) {
		if s, ok := states[k]; ok {
			return s, false
		}
		states[k] = &state{}
		order = append(order, k)
		return states[k], true
	}
	for _, delta := range queued {
		k := ""
		switch object := delta.Object.(type) {
		case cache.DeletedFinalStateUnknown:
			k = object.Key
		default:
			if k, err = key(object); err != nil {
				return nil, err
			}
		}
		s, _ := meet(k)
		s.object, s.there = delta.Object, delta.Type != cache.Deleted
	}
	if known != nil {
		for _, k := range known.ListKeys() {
			if s, first := meet(k); first {
				s.there = true
				if object, found, err := known.GetByKey(k); found && err == nil {
					s.object = object
				}
			}
		}
	}
	for _, object := range list {
		k, err := key(object)
		if err != nil {
			return nil, err
		}
		s, _ := meet(k)
		s.there = false
	}
	for _, k := range order {
		if s := states[k]; s.there {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: s.object})
		}
	}
	return gone, nil
}
