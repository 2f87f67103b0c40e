// Stage 3: what the API server answers

package hierarchy_test

import (
	"errors"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

const returnsAnError = "deletes nothing, returns false and an error"

// The simplest case: the API server is not there.
func TestListFails(t *testing.T) {
	exercise.Attempted(t)
	s := &scene{lists: down, children: []string{"web-0"}}
	before := s.told()
	err := s.is(t, returnsAnError, nil)
	exercise.Expect(t, errors.Is(err, down), exercise.Verdict{
		Expected: before + "in the error of Run errors.Is finds it", Happened: fmt.Sprintf("it returned %.80q", err)})
}

func TestDeleteFails(t *testing.T) {
	exercise.Attempted(t)
	s := &scene{children: []string{"web-0", "web-1"}, fails: map[string]error{"web-1": down}}
	before := s.told()
	err := s.is(t, returnsAnError, about{
		"deletes web-0, returns false": "the belief that one child must not hold up the others. web-1 still needs " +
			"web-0",
		"deletes web-0, returns false and an error": "the belief that one child must not hold up the others. " +
			"web-1 still " +
			"needs web-0",
		"deletes nothing, returns false": "the belief that the next run will see to it. No child changes, and " +
			"only an error is " +
			"tried again",
	})
	exercise.Expect(t, errors.Is(err, down), exercise.Verdict{
		Expected: before + "in the error of Run errors.Is finds it", Happened: fmt.Sprintf("it returned %.80q", err)})
	(&scene{children: []string{"web-0"}, fails: map[string]error{"web-0": down}}).is(t, returnsAnError, about{
		"deletes nothing, returns true and an error": "the belief that nobody looks at done beside an error",
	})
}

// Somebody has deleted web-1 since List.
func TestNotFound(t *testing.T) {
	exercise.Attempted(t)
	about := about{
		returnsAnError: "the belief that a request that is refused has failed. The child was to " +
			"go, and is gone",
		"deletes nothing, returns true": "the belief that what is gone was the last. web-0 is there",
	}
	(&scene{listed: []string{"web-0", "web-1"}, children: []string{"web-0"}}).
		is(t, "deletes web-0, returns false", about, "deletes nothing, returns false")
	delete(about, "deletes nothing, returns true")
	(&scene{listed: []string{"web-0"}, children: []string{}}).
		is(t, "deletes nothing, returns true", about, "deletes nothing, returns false")
}

// Since List somebody has deleted web-1, and somebody has made another one.
func TestAnotherOfTheName(t *testing.T) {
	exercise.Attempted(t)
	const (
		byName = "the belief that a name says which child is meant. Another set has made one of this name, and it " +
			"is to live"
		around = "the belief that a Conflict is to be got around. It says that the child there now is not the one " +
			"that List " +
			"has shown"
		isGone = "the belief that after a Conflict the child is gone. The one that is there now may be the set's, too"
		silent = "the belief that a Conflict is nothing to tell. The next Run comes after a change, or an error"
	)
	for _, now := range []string{"new UID, controlled by db/5", "new UID, no owner", "new UID"} {
		s := &scene{listed: []string{"web-0", "web-1"}, children: []string{"web-0", "web-1: " + now}}
		before := s.told()
		err := s.is(t, returnsAnError, about{
			"deletes web-1, returns false":                           byName,
			"deletes web-1, returns false; refused: Delete of web-1": around,
			"deletes web-0, returns false":                           isGone,
			"deletes nothing, returns false":                         silent,
		})
		exercise.Expect(t, apierrors.IsConflict(err), exercise.Verdict{
			Expected: before + "in the error of Run errors.As finds the Conflict",
			Happened: fmt.Sprintf("it returned %.80q", err)})
	}
}
