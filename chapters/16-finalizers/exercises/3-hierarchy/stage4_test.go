// Stage 4 (hard): children that are to live on

package hierarchy_test

import (
	"context"
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: somebody has deleted the set with --cascade=orphan, and the garbage collector is at work.
func TestOrphan(t *testing.T) {
	exercise.Attempted(t)
	(&scene{finalizers: "orphan", listed: []string{"web-0", "web-1"},
		children: []string{"web-0", "web-1: changed, no owner"}}).is(t, "deletes nothing, returns true", about{
		returnsAnError: "the belief that a child lives on when its reference is off. With orphan in the set it is to " +
			"live, also before",
		"deletes nothing, returns false": "the belief that a set is done when it has no child left. These are to live on, " +
			"and nobody would call Run again",
	})
}

func TestOrphanAndGoing(t *testing.T) {
	exercise.Attempted(t)
	(&scene{finalizers: "example.com/backup, orphan", children: []string{"web-0", "web-1: being deleted"}}).
		is(t, "deletes nothing, returns true", about{
			"deletes nothing, returns false": "the belief that a set without an order has to wait, too. Whoever " +
				"has deleted web-1 " +
				"needs no set for it",
		})
}

func TestOtherFinalizers(t *testing.T) {
	exercise.Attempted(t)
	for _, finalizers := range []string{"example.com/backup", "foregroundDeletion", "example.com/orphan"} {
		s := &scene{finalizers: finalizers, children: []string{"web-0", "web-1"}}
		s.is(t, "deletes web-1, returns false", about{
			"deletes nothing, returns true": "the belief that another finalizer than the controller's says that " +
				"the children are " +
				"to live",
		})
	}
}

// Since List the garbage collector has taken the references off, and then orphan out of the set.
func TestReleasedSince(t *testing.T) {
	exercise.Attempted(t)
	const (
		byUID = "the belief that a UID says all of a child. It is the same one, and the set's no more: it was to " +
			"live on"
	)
	(&scene{listed: []string{"web-0", "web-1"},
		children: []string{"web-0: changed, no owner", "web-1: changed, no owner"}}).
		is(t, returnsAnError, about{
			"deletes web-1, returns false": byUID,
		})
}

func TestItsContext(t *testing.T) {
	exercise.Attempted(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &scene{children: []string{"web-0"}}
	told, err := s.run(ctx)
	exercise.Expect(t, errors.Is(err, context.Canceled), exercise.Verdict{
		Expected: "the context has ended: in the error of Run errors.Is finds context.Canceled", Happened: "it " +
			"" + told})
}

func TestTheSetIsNotChanged(t *testing.T) {
	exercise.Attempted(t)
	s := &scene{finalizers: "example.com/backup, orphan", children: []string{"web-0"}}
	is := s.theSet()
	_, err := s.runOn(t.Context(), is)
	exercise.Expect(t, err == nil && equality.Semantic.DeepEqual(is, s.theSet()), exercise.Verdict{
		Expected: "Run leaves the set as it was", Happened: "it was changed",
		PointsTo: "the belief that Run takes the finalizer out. Its caller does",
	})
}
