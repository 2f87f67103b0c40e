// Package expectations has what is missing as a line of texts for each set, in a sync.Map.
package expectations

import (
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Client sends requests.
type Client interface {
	Create(set, name string) error
	Delete(set string, uid types.UID) error
}

// Expectations has a line for each set.
type Expectations struct {
	timeout time.Duration
	lines   sync.Map // by set, *line
}

type line struct {
	mu      sync.RWMutex
	missing []string
	until   time.Time
}

// New returns Expectations without a line.
func New(timeout time.Duration) *Expectations { return &Expectations{timeout: timeout} }

func (e *Expectations) of(set string) *line {
	l, _ := e.lines.LoadOrStore(set, &line{})
	return l.(*line)
}

func (e *Expectations) add(set string, what ...string) {
	l := e.of(set)
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.After(l.until) {
		l.missing, l.until = nil, now.Add(e.timeout)
	} else {
		l.until = now.Add(e.timeout)
	}
	l.missing = append(l.missing, what...)
}

func (e *Expectations) remove(set, what string) {
	l := e.of(set)
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.missing, what); i >= 0 {
		l.missing = slices.Delete(l.missing, i, i+1)
	}
}

// ExpectCreations implements the exercise.
func (e *Expectations) ExpectCreations(set string, names ...string) {
	for _, name := range names {
		e.add(set, "+"+name)
	}
}

// CreationObserved implements the exercise.
func (e *Expectations) CreationObserved(set, name string) { e.remove(set, "+"+name) }

// ExpectDeletions implements the exercise.
func (e *Expectations) ExpectDeletions(set string, uids ...types.UID) {
	for _, uid := range uids {
		e.add(set, "-"+string(uid))
	}
}

// DeletionObserved implements the exercise.
func (e *Expectations) DeletionObserved(set string, uid types.UID) { e.remove(set, "-"+string(uid)) }

// Satisfied implements the exercise.
func (e *Expectations) Satisfied(set string) bool {
	l := e.of(set)
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.missing) == 0 || time.Now().After(l.until)
}

// Create implements the exercise. It takes back what a failure has kept from being sent.
func (e *Expectations) Create(client Client, set string, names ...string) error {
	e.ExpectCreations(set, names...)
	for i, name := range names {
		if err := client.Create(set, name); err != nil {
			for _, unsent := range names[i:] {
				e.CreationObserved(set, unsent)
			}
			return err
		}
	}
	return nil
}

// Delete implements the exercise.
func (e *Expectations) Delete(client Client, set string, uids ...types.UID) error {
	e.ExpectDeletions(set, uids...)
	for i, uid := range uids {
		if err := client.Delete(set, uid); err != nil {
			for _, unsent := range uids[i:] {
				e.DeletionObserved(set, unsent)
			}
			return err
		}
	}
	return nil
}

// Forget implements the exercise.
func (e *Expectations) Forget(set string) { e.lines.Delete(set) }
