// Breaks: A slice that the index returns belongs to the caller, who may change it.
// Caught by: TestWhatIsReturnedIsTheCallers
// Message: the belief that a slice that was returned is done with
// Base: alt/difference

//go:build wrong

package sets

import (
	"maps"
	"slices"
	"sync"
)

// Index has one slice for the answers of Values.
type Index[T any] struct {
	values func(object T) ([]string, error)
	sets   map[string][]string // the set of each key
	keys   map[string][]string // the keys of each value
	mu     sync.Mutex
	answer []string
}

func (x *Index[T]) Values() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.answer = slices.AppendSeq(x.answer[:0], maps.Keys(x.keys))
	slices.Sort(x.answer)
	return x.answer
}
