// Breaks: Arguments are not changed: a slice, a map or a client that is handed over looks afterwards as it did before.
// Stage: 4

//go:build wrong

package expectations

import (
	"errors"
	"slices"
	"sync"
	"time"
)

// Expectations has the names as they were handed over, if those are the first.
type Expectations struct {
	timeout time.Duration

	mu    sync.Mutex
	sets  map[string]expected
	names map[string][]string
}

func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, sets: map[string]expected{}, names: map[string][]string{}}
}

func (e *Expectations) ExpectCreations(set string, names ...string) {
	e.raise(set, key{})
	e.lower(set, key{})
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.names[set] == nil {
		e.names[set] = names
	} else {
		e.names[set] = append(slices.Clone(e.names[set]), names...)
	}
	for _, name := range names {
		e.sets[set].missing[key{name: name}] = true
	}
}

func (e *Expectations) CreationObserved(set, name string) {
	e.lower(set, key{name: name})
	e.mu.Lock()
	defer e.mu.Unlock()
	e.names[set] = slices.DeleteFunc(e.names[set], func(one string) bool { return one == name })
}

func (e *Expectations) Create(client Client, set string, names ...string) error {
	var failures []error
	e.ExpectCreations(set, slices.Clone(names)...)
	for _, name := range names {
		if err := client.Create(set, name); err != nil {
			e.CreationObserved(set, name)
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}
