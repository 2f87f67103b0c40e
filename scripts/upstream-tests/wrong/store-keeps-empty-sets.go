// Wrong: An index keeps a value that no object has any more.
// Base: chapters/04-store/store/index.go
// Mechanism: store
// Upstream: TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex
// Book: chapters/04-store/store TestStore

//go:build wrong

package store

func (x *index) remove(key string, values []string) {
	for _, value := range values {
		delete(x.keys[value], key)
	}
}
