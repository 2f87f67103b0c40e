// Breaks: A value that is in no set takes no memory, and neither does a key that is not in the index: however
// many come and go, the index does not grow.
// Caught by: TestDoesNotGrow
// Message: Put and Delete of another key with the same value

//go:build wrong

package sets

func (x *Index[T]) Delete(key string) {
	for value := range x.sets[key] {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
	if x.sets[key] != nil {
		x.sets[key] = map[string]bool{} // wrong: the key is still there
	}
}
