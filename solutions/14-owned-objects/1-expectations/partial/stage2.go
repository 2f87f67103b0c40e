// Create expects all names at once, and takes back what has failed.

//go:build partial

package expectations

import (
	"errors"
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

func (e *Expectations) Create(client Client, set string, names ...string) error {
	var failures []error
	e.ExpectCreations(set, names...)
	for _, name := range names {
		if err := client.Create(set, name); err != nil {
			e.CreationObserved(set, name) // no event will come of it
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}
