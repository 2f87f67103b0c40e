// Stage 3: deletions, by UID

package expectations_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: two children that go one after the other.
func TestUntilGone(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectDeletions(north/web, uid-a, uid-b); Satisfied(north/web) is false; "+
		"DeletionObserved(north/web, uid-b); Satisfied(north/web) is false; "+
		"DeletionObserved(north/web, uid-a); Satisfied(north/web) is true", "")
}

func TestDeletionSeenTwice(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectDeletions(north/web, uid-a, uid-b); DeletionObserved(north/web, uid-a); "+
		"DeletionObserved(north/web, uid-a); Satisfied(north/web) is false",
		"the belief that a deletion is one event. A child with finalizers gets a deletionTimestamp first, and goes later")
	play(t, "ExpectDeletions(north/web, uid-a); DeletionObserved(north/web, uid-a); ExpectDeletions(north/web, uid-b); "+
		"DeletionObserved(north/web, uid-a); Satisfied(north/web) is false", "")
}

func TestDeletedByOthers(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectDeletions(north/web, uid-a); DeletionObserved(north/web, uid-x); Satisfied(north/web) is false",
		"the belief that nobody else deletes children of the set")
	play(t, "DeletionObserved(north/web, uid-x); ExpectDeletions(north/web, uid-a); Satisfied(north/web) is false", "")
	play(t, "ExpectDeletions(north/web, uid-a); Satisfied(south/web) is true", "")
}

func TestCreationsAndDeletions(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectCreations(north/web, web-0); ExpectDeletions(north/web, uid-a); DeletionObserved(north/web, uid-a); "+
		"Satisfied(north/web) is false; CreationObserved(north/web, web-0); Satisfied(north/web) is true", "")
	play(t, "ExpectDeletions(north/web, uid-a); ExpectCreations(north/web, web-0); CreationObserved(north/web, web-0); "+
		"Satisfied(north/web) is false; DeletionObserved(north/web, uid-a); Satisfied(north/web) is true", "")
	play(t, "ExpectDeletions(north/web, uid-a); ExpectDeletions(north/web, uid-b); DeletionObserved(north/web, uid-b); "+
		"Satisfied(north/web) is false", "")
}

func TestDelete(t *testing.T) {
	exercise.Attempted(t, lockHeld)
	play(t, "Delete(north/web, uid-a, uid-b); each event comes; Satisfied(north/web) is true", "")
	play(t, "Delete(north/web, uid-a, uid-b), whose events come first; Satisfied(north/web) is true", answerFirst)
}

func TestFailedDeletion(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectDeletions(north/web, uid-a); Delete(north/web, uid-b), and uid-b fails; Satisfied(north/web) is false",
		oneForAll)
	play(t, "Delete(north/web, uid-a), and uid-a fails; Satisfied(north/web) is true", failureSeen)
	for _, child := range []string{"uid-a", "uid-b", "uid-c"} {
		play(t, "Delete(north/web, uid-a, uid-b, uid-c), and "+child+" fails; each event comes; Satisfied(north/web) is true",
			neverSent)
	}
}
