// Breaks: A slice that values returns belongs to values, which may return the same one again with other
// contents, or a field of the object: the index neither changes nor keeps it.
// Caught by: TestTheSliceOfValues
// Message: it was [tls cfg tls app web parts]

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	values, err := x.values(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	set := map[string]bool{}
	for _, value := range append(values, key) { // wrong: there may be something behind its end
		set[value] = value != key || len(values) > 0 && contains(values, key)
		if !set[value] {
			delete(set, value)
		}
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

func contains(values []string, value string) bool {
	for _, v := range values {
		if v == value {
			return true
		}
	}
	return false
}
