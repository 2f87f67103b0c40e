// Package expectations has a deadline for each child: what has passed it is not missing any more.
package expectations

import (
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Client sends requests.
type Client interface {
	Create(set, name string) error
	Delete(set string, uid types.UID) error
}

// child is what is waited for: a name, or a UID.
type child struct {
	set   string
	which any
}

// Expectations are the deadlines of all children that are missing.
type Expectations struct {
	timeout time.Duration

	mu        sync.Mutex
	deadlines map[child]time.Time
}

// New returns Expectations without a deadline.
func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, deadlines: make(map[child]time.Time)}
}

func expect[T any](e *Expectations, set string, all []T) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, one := range all {
		e.deadlines[child{set, one}] = time.Now().Add(e.timeout)
	}
}

func (e *Expectations) observed(set string, which any) {
	e.mu.Lock()
	delete(e.deadlines, child{set, which})
	e.mu.Unlock()
}

// ExpectCreations implements the exercise.
func (e *Expectations) ExpectCreations(set string, names ...string) { expect(e, set, names) }

// ExpectDeletions implements the exercise.
func (e *Expectations) ExpectDeletions(set string, uids ...types.UID) { expect(e, set, uids) }

// CreationObserved implements the exercise.
func (e *Expectations) CreationObserved(set, name string) { e.observed(set, name) }

// DeletionObserved implements the exercise.
func (e *Expectations) DeletionObserved(set string, uid types.UID) { e.observed(set, uid) }

// Satisfied drops what is late on its way.
func (e *Expectations) Satisfied(set string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for c, deadline := range e.deadlines {
		if time.Now().After(deadline) {
			delete(e.deadlines, c)
		} else if c.set == set {
			return false
		}
	}
	return true
}

// Create implements the exercise: it ends with the first failure.
func (e *Expectations) Create(client Client, set string, names ...string) error {
	for _, name := range names {
		e.ExpectCreations(set, name)
		if err := client.Create(set, name); err != nil {
			e.CreationObserved(set, name)
			return err
		}
	}
	return nil
}

// Delete implements the exercise: it goes on after a failure.
func (e *Expectations) Delete(client Client, set string, uids ...types.UID) (err error) {
	for _, uid := range uids {
		e.ExpectDeletions(set, uid)
		if failure := client.Delete(set, uid); failure != nil {
			e.DeletionObserved(set, uid)
			err = errors.Join(err, failure)
		}
	}
	return err
}

// Forget implements the exercise.
func (e *Expectations) Forget(set string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for c := range e.deadlines {
		if c.set == set {
			delete(e.deadlines, c)
		}
	}
}
