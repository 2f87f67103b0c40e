package owned

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Memory is what a controller knows of its own writes. A cache shows them later, and whoever decides by the cache alone
// does everything twice. A set is known by its UID: one that is made anew under the name has made nothing yet.
//
// It is called from the workers, and from the handlers of events.
type Memory interface {
	// Late says whether the cache has yet to show something that was written for a set, and for how long at most that
	// is believed. It is asked before the cache is read: a cache that shows more meanwhile does no harm, and an answer
	// that is newer than what was read does. An error ends the run, which is tried again.
	Late(set types.UID) (late bool, until time.Duration, err error)

	// Creating is called before a child is created, because its event may come before its answer. Created is called
	// with the answer, which is an error if it was refused, or got lost.
	Creating(set types.UID, name string)
	Created(set types.UID, child *v1alpha1.Process, err error)
	// Deleting and Deleted are the same of a deletion.
	Deleting(set, child types.UID)
	Deleted(set, child types.UID, err error)
	// Saved is called with the set whenever something of it was written.
	Saved(set *v1alpha1.ProcessSet)

	// Shown is called when the cache has a child that it had not, and Gone when one is deleted or begins to be.
	Shown(set types.UID, child *v1alpha1.Process)
	Gone(set types.UID, child *v1alpha1.Process)
	// Forget is called when a set is gone.
	Forget(set types.UID)
}

// Nothing is a memory of nothing.
type Nothing struct{}

// Late implements Memory.
func (Nothing) Late(types.UID) (bool, time.Duration, error) { return false, 0, nil }

// Creating implements Memory.
func (Nothing) Creating(types.UID, string) {}

// Created implements Memory.
func (Nothing) Created(types.UID, *v1alpha1.Process, error) {}

// Deleting implements Memory.
func (Nothing) Deleting(types.UID, types.UID) {}

// Deleted implements Memory.
func (Nothing) Deleted(types.UID, types.UID, error) {}

// Saved implements Memory.
func (Nothing) Saved(*v1alpha1.ProcessSet) {}

// Shown implements Memory.
func (Nothing) Shown(types.UID, *v1alpha1.Process) {}

// Gone implements Memory.
func (Nothing) Gone(types.UID, *v1alpha1.Process) {}

// Forget implements Memory.
func (Nothing) Forget(types.UID) {}
