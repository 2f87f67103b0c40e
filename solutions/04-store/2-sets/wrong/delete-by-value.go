// Breaks: Delete takes key and its set out of the index.
// Caught by: TestDelete
// Message: then Delete of cfg, the index is cfg: db web; tls: web

//go:build wrong

package sets

func (x *Index[T]) Delete(key string) {
	for value := range x.sets[key] {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
	delete(x.sets, key)
	delete(x.keys, key) // wrong: a key may have the same text as a value
}
