// Misconception: a copy of a map is a state to go back to.
// Caught by: TestReplaceFails
// Message: the belief that what was done before an error, or could be done beside it, may stay

//go:build wrong

package sets

import "maps"

func (x *Index[T]) Replace(objects map[string]T) error {
	sets, keys := maps.Clone(x.sets), maps.Clone(x.keys) // wrong: the sets in them are the same
	for key := range sets {
		x.Delete(key)
	}
	for key, object := range objects {
		if err := x.Put(key, object); err != nil {
			x.sets, x.keys = sets, keys
			return err
		}
	}
	return nil
}
