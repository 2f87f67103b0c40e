// Package expectations has a timer for each set that expects something, which forgets the set when it is late.
package expectations

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Client sends requests.
type Client interface {
	Create(set, name string) error
	Delete(set string, uid types.UID) error
}

// Expectations are those of the sets that expect something: a set that does not is not in the map.
type Expectations struct {
	timeout time.Duration

	mu   sync.Mutex
	open map[string]*pending
}

type pending struct {
	creations map[string]struct{}
	deletions map[types.UID]struct{}
	timer     *time.Timer
}

// New returns Expectations of nothing.
func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, open: map[string]*pending{}}
}

// change has a set's expectations changed, and drops the set when nothing is left of them.
func (e *Expectations) change(set string, begin bool, f func(*pending)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p, ok := e.open[set]
	if !ok && !begin {
		return
	}
	if !ok {
		p = &pending{creations: map[string]struct{}{}, deletions: map[types.UID]struct{}{}}
		e.open[set] = p
	}
	if begin {
		if p.timer != nil {
			p.timer.Stop()
		}
		p.timer = e.after(set, p)
	}
	f(p)
	if len(p.creations) == 0 && len(p.deletions) == 0 {
		p.timer.Stop()
		delete(e.open, set)
	}
}

// after drops p, unless another one has come in its place, or another timer.
func (e *Expectations) after(set string, p *pending) *time.Timer {
	var own *time.Timer
	own = time.AfterFunc(e.timeout, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.open[set] == p && p.timer == own {
			delete(e.open, set)
		}
	})
	return own
}

// ExpectCreations implements the exercise.
func (e *Expectations) ExpectCreations(set string, names ...string) {
	e.change(set, true, func(p *pending) {
		for _, name := range names {
			p.creations[name] = struct{}{}
		}
	})
}

// CreationObserved implements the exercise.
func (e *Expectations) CreationObserved(set, name string) {
	e.change(set, false, func(p *pending) { delete(p.creations, name) })
}

// ExpectDeletions implements the exercise.
func (e *Expectations) ExpectDeletions(set string, uids ...types.UID) {
	e.change(set, true, func(p *pending) {
		for _, uid := range uids {
			p.deletions[uid] = struct{}{}
		}
	})
}

// DeletionObserved implements the exercise.
func (e *Expectations) DeletionObserved(set string, uid types.UID) {
	e.change(set, false, func(p *pending) { delete(p.deletions, uid) })
}

// Satisfied implements the exercise.
func (e *Expectations) Satisfied(set string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, waits := e.open[set]
	return !waits
}

// Create implements the exercise: all requests are on their way at once.
func (e *Expectations) Create(client Client, set string, names ...string) error {
	e.ExpectCreations(set, names...)
	return atOnce(names, func(name string) error {
		err := client.Create(set, name)
		if err != nil {
			e.CreationObserved(set, name)
		}
		return err
	})
}

// Delete implements the exercise, as Create does.
func (e *Expectations) Delete(client Client, set string, uids ...types.UID) error {
	e.ExpectDeletions(set, uids...)
	return atOnce(uids, func(uid types.UID) error {
		err := client.Delete(set, uid)
		if err != nil {
			e.DeletionObserved(set, uid)
		}
		return err
	})
}

// atOnce returns one of the failures.
func atOnce[T any](all []T, send func(T) error) error {
	failures := make(chan error, len(all))
	for _, one := range all {
		go func() { failures <- send(one) }()
	}
	var failed error
	for range all {
		if err := <-failures; err != nil {
			failed = fmt.Errorf("not all requests succeeded: %w", err)
		}
	}
	return failed
}

// Forget implements the exercise.
func (e *Expectations) Forget(set string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p, ok := e.open[set]; ok {
		p.timer.Stop()
		delete(e.open, set)
	}
}
