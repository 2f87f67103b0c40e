// Misconception: the sets are what counts, and the other way round follows.
// Caught by: TestReplace
// Message: it was app: web; cfg: db web; log: job; tls: web

//go:build wrong

package sets

import "maps"

func (x *Index[T]) Replace(objects map[string]T) error {
	fresh := New(x.values)
	for key, object := range objects {
		if err := fresh.Put(key, object); err != nil {
			return err
		}
	}
	x.sets = fresh.sets
	for value, keys := range fresh.keys {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		maps.Copy(x.keys[value], keys)
	}
	return nil
}
