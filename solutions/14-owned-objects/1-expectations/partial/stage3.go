// All but what time and goroutines do to it: the names, and beside them the UIDs.

//go:build partial

package expectations

import (
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

type Expectations struct {
	timeout time.Duration

	mu    sync.Mutex
	names map[string]map[string]bool
	uids  map[string]map[types.UID]bool
}

func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, names: map[string]map[string]bool{}, uids: map[string]map[types.UID]bool{}}
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
	return len(e.names[set])+len(e.uids[set]) == 0
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

func (e *Expectations) ExpectDeletions(set string, uids ...types.UID) {
	if e.uids[set] == nil {
		e.uids[set] = map[types.UID]bool{}
	}
	for _, uid := range uids {
		e.uids[set][uid] = true
	}
}

func (e *Expectations) DeletionObserved(set string, uid types.UID) {
	delete(e.uids[set], uid)
}

func (e *Expectations) Delete(client Client, set string, uids ...types.UID) error {
	var failures []error
	e.ExpectDeletions(set, uids...)
	for _, uid := range uids {
		if err := client.Delete(set, uid); err != nil {
			e.DeletionObserved(set, uid)
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}
