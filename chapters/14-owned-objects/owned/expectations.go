package owned

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Expectations are a Memory of what was done and has not been shown. While a set has some, nothing is made for it and
// nothing deleted. A child is expected by its name, or counted if the API server thinks of the name, and a deletion is
// expected by the UID of what is deleted: an update that begins the deletion and the event of its end are one deletion.
//
// An event may never come: a child may be released, or gone, before its first event. So what is expected is believed
// for so long, counted from the last request.
//
// Upstream's counterpart is k8s.io/kubernetes/pkg/controller.UIDTrackingControllerExpectations, in controller_utils.go.
// It counts creations, and what it calls the UIDs of deletions are namespaces and names.
type Expectations struct {
	Nothing
	timeout time.Duration

	lock sync.Mutex // guards sets
	sets map[types.UID]*expected
}

// expected is what has not been shown of one set.
type expected struct {
	names     map[string]bool
	unnamed   int
	deletions map[types.UID]bool
	since     time.Time
}

// NewExpectations makes a memory that believes for so long.
func NewExpectations(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, sets: map[types.UID]*expected{}}
}

// Late implements Memory.
func (e *Expectations) Late(set types.UID) (bool, time.Duration, error) {
	e.lock.Lock()
	defer e.lock.Unlock()
	s := e.sets[set]
	if s == nil || len(s.names)+s.unnamed+len(s.deletions) == 0 {
		return false, 0, nil
	}
	left := e.timeout - time.Since(s.since)
	if left <= 0 {
		delete(e.sets, set)
		return false, 0, nil
	}
	return true, left, nil
}

// Creating implements Memory.
func (e *Expectations) Creating(set types.UID, name string) {
	e.expect(set, func(s *expected) {
		if name == "" {
			s.unnamed++
		} else {
			s.names[name] = true
		}
	})
}

// Created implements Memory. Of a create that has failed no event will come; if its answer alone got lost, one will,
// and the name keeps it from being made twice.
func (e *Expectations) Created(set types.UID, child *v1alpha1.Process, err error) {
	if err != nil {
		e.seen(set, func(s *expected) { s.shown(child.Name) })
	}
}

// Deleting implements Memory.
func (e *Expectations) Deleting(set, child types.UID) {
	e.expect(set, func(s *expected) { s.deletions[child] = true })
}

// Deleted implements Memory. Who is refused a deletion expects nothing of it.
func (e *Expectations) Deleted(set, child types.UID, err error) {
	if err != nil {
		e.seen(set, func(s *expected) { delete(s.deletions, child) })
	}
}

// Shown implements Memory.
func (e *Expectations) Shown(set types.UID, child *v1alpha1.Process) {
	e.seen(set, func(s *expected) { s.shown(child.Name) })
}

// Gone implements Memory.
func (e *Expectations) Gone(set types.UID, child *v1alpha1.Process) {
	e.seen(set, func(s *expected) {
		delete(s.names, child.Name) // it may come and go in one event
		delete(s.deletions, child.UID)
	})
}

// Forget implements Memory.
func (e *Expectations) Forget(set types.UID) {
	e.lock.Lock()
	defer e.lock.Unlock()
	delete(e.sets, set)
}

// shown lowers what is expected of a child. More than was expected is nothing: what somebody else makes is not to be
// taken for what is made next.
func (s *expected) shown(name string) {
	if s.names[name] {
		delete(s.names, name)
	} else if s.unnamed > 0 {
		s.unnamed--
	}
}

func (e *Expectations) expect(set types.UID, raise func(*expected)) {
	e.lock.Lock()
	defer e.lock.Unlock()
	s := e.sets[set]
	if s == nil {
		s = &expected{names: map[string]bool{}, deletions: map[types.UID]bool{}}
		e.sets[set] = s
	}
	raise(s)
	s.since = time.Now()
}

func (e *Expectations) seen(set types.UID, lower func(*expected)) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if s := e.sets[set]; s != nil {
		lower(s)
	}
}
