// Misconception: a set without keys is as good as none.
// Caught by: TestPutAgain
// Message: the belief that a set without keys is as good as none

//go:build wrong

package sets

func (x *Index[T]) Delete(key string) {
	for value := range x.sets[key] {
		delete(x.keys[value], key)
	}
	delete(x.sets, key)
}
