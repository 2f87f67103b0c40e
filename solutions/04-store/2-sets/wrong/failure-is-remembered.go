// Breaks: When values returns an error, so does the method that called it, and the index is as before.
// Caught by: TestPutFails
// Message: then Put of web with tls app, the index is app: web; cfg: db; tls: web

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		delete(x.sets, key) // wrong: it still stands under the values of before
		return fmt.Errorf("the values of %q: %w", key, err)
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
