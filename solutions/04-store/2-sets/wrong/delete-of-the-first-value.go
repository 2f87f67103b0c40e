// Breaks: Delete takes key and its set out of the index.
// Caught by: TestPutAgain
// Message: the index is

//go:build wrong

package sets

func (x *Index[T]) Delete(key string) {
	for value := range x.sets[key] {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
			break // wrong: there may be more
		}
	}
	delete(x.sets, key)
}
