// Misconception: a mutex may be locked again by who holds it.
// Caught by: TestPutAgain
// Message: a call that has nothing to wait for

//go:build wrong

package sets

import (
	"fmt"
	"sync"
)

// Index has a lock of its own.
type Index[T any] struct {
	mu     sync.Mutex
	values func(object T) ([]string, error)
	sets   map[string]map[string]bool // the set of each key
	keys   map[string]map[string]bool // the keys of each value
}

func (x *Index[T]) Put(key string, object T) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	if x.sets[key] != nil {
		x.Delete(key) // wrong: it locks, too
	}
	x.sets[key] = set
	for value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
	return nil
}

func (x *Index[T]) Delete(key string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for value := range x.sets[key] {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
	delete(x.sets, key)
}

func (x *Index[T]) Replace(objects map[string]T) error {
	fresh := New(x.values)
	for key, object := range objects {
		if err := fresh.Put(key, object); err != nil {
			return err
		}
	}
	x.sets, x.keys = fresh.sets, fresh.keys
	return nil
}
