// Package expectations is exercise 14.1: what a controller has done, and its cache does not show yet.
//
// A set should have three children, and its controller creates three. The next run comes before their events: the
// cache shows none, and without a memory three more are created.
//
//	if e.Satisfied("north/web") {
//		err = e.Create(client, "north/web", "web-0", "web-1", "web-2")
//	}
//
// Write Expectations, that memory, stage by stage, from the standard library. docs/exercises.md says what holds for
// every exercise.
package expectations

import (
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Client sends the requests of a controller. An error says that the request has failed.
type Client interface {
	Create(set, name string) error
	Delete(set string, uid types.UID) error
}

// Expectations are those of all sets of a controller. A set is named by its namespace and name, a child by its name.
type Expectations struct {
	timeout time.Duration

	mu sync.Mutex
	// TODO: what is expected of each set
}

// New returns Expectations that wait for an event no longer than timeout, from stage 4 on.
func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout}
}

// ExpectCreations says that a set is about to get these children.
//
// Stage 1: creations, until they are seen
//   - The set expects each of them from now on, beside what it expects already.
func (e *Expectations) ExpectCreations(set string, names ...string) {
	// TODO: remember the names
}

// CreationObserved is called for each new child that the watch shows, whoever created it.
//
// Stage 1: creations, until they are seen
//   - The set no longer expects this child. One that it does not expect counts for nothing, now and later.
func (e *Expectations) CreationObserved(set, name string) {
	// TODO: the child has been seen
}

// Satisfied says whether the set's controller may create and delete.
//
// Stage 1: creations, until they are seen
//   - It may while the set expects nothing, whatever other sets expect.
//
// Stage 4: events that never come
//   - It may, too, once the timeout has passed since the set's last new expectation. What was missing then is never
//     waited for again.
func (e *Expectations) Satisfied(set string) bool {
	// TODO: is something missing?
	return false
}

// Create creates children of a set, one request for each name.
//
// Stage 2: the request, before and after
//   - A child is expected before its request is sent: its event may come before the answer.
//   - A child whose request has failed is expected no more. The others still are.
//   - errors.Is finds the failure in the error. The requests after it may be left out: what is not sent is not
//     expected.
func (e *Expectations) Create(client Client, set string, names ...string) error {
	// TODO: expect and send
	return errors.New("Create is not written yet")
}

// ExpectDeletions says that a set is about to lose these children.
//
// Stage 3: deletions, by UID
//   - The set expects each of them to go, beside what it expects already.
func (e *Expectations) ExpectDeletions(set string, uids ...types.UID) {
	// TODO: remember the UIDs
}

// DeletionObserved is called for each child that has got a deletionTimestamp, and again when it is gone.
//
// Stage 3: deletions, by UID
//   - The first call for a child that was expected to go counts, and no other.
func (e *Expectations) DeletionObserved(set string, uid types.UID) {
	// TODO: the child is about to go, or gone
}

// Delete deletes children of a set, one request for each UID.
//
// Stage 3: deletions, by UID
//   - It expects and sends as Create does.
func (e *Expectations) Delete(client Client, set string, uids ...types.UID) error {
	// TODO: expect and send
	return errors.New("Delete is not written yet")
}

// Forget is called when a set is gone.
//
// Stage 4: events that never come
//   - Nothing is expected of the set any more. A set that is created under its name begins anew.
//   - From now on many goroutines call all the methods at once.
func (e *Expectations) Forget(set string) {
	// TODO: drop what the set expects
}
