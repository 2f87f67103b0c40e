// A map for each set, with the names that have not been seen.

//go:build partial

package expectations

import (
	"sync"
	"time"
)

type Expectations struct {
	timeout time.Duration

	mu    sync.Mutex
	names map[string]map[string]bool
}

func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, names: map[string]map[string]bool{}}
}

func (e *Expectations) ExpectCreations(set string, names ...string) {
	if e.names[set] == nil {
		e.names[set] = map[string]bool{}
	}
	for _, name := range names {
		e.names[set][name] = true
	}
}

func (e *Expectations) CreationObserved(set, name string) {
	delete(e.names[set], name)
}

func (e *Expectations) Satisfied(set string) bool {
	return len(e.names[set]) == 0
}
