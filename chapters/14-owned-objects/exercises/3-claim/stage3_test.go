// Stage 3: adopt, after a look past the cache

package claim_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The simplest case: a child without an owner.
func TestAdopt(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"a: app=web"}}).expect(t, "Claim returned a; SetOwners of a: web/1 as controller", nil)
}

func TestAdoptBesideOthers(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"a: app=web; owned by config/7"}}).
		expect(t, "Claim returned a; SetOwners of a: config/7 and web/1 as controller", beliefs{
			"Claim returned a; SetOwners of a: web/1 as controller": "the belief that a child has one owner. The " +
				"patch replaces the whole list, and the other owner's reference is lost",
			"Claim returned no child; nothing was written": "the belief that an owner is a controller. " +
				"Nobody makes children like this one for it, or counts them",
		})
}

func TestNotToBeAdopted(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"a: app=web; being deleted"}}).
		expect(t, "Claim returned no child; nothing was written", beliefs{
			"Claim returned a; SetOwners of a: web/1 as controller": "the belief that what still exists may be " +
				"adopted. It is going, and would be counted",
		})
}

func TestADyingSetAdoptsNothing(t *testing.T) {
	exercise.Attempted(t)
	(&scene{set: set + "; being deleted", children: []string{"a: app=web", "b: app=web; controlled by web/1"}}).
		expect(t, "Claim returned b; nothing was written", beliefs{
			"Claim returned a and b; SetOwners of a: web/1 as controller": "the belief that a set that is being " +
				"deleted keeps order to the end. What it adopts now is deleted with it",
		})
}

// The cache has the set as it was: in truth it is no longer there, or not for long.
func TestTheCacheIsLate(t *testing.T) {
	exercise.Attempted(t)
	const collected = "the garbage collector deletes what it adopts"
	for _, tc := range []struct {
		live, belief string
		err          error
	}{
		{live: "web/2", belief: "the belief that a set of this name is this set. It was made anew, and " + collected},
		{live: "web/1; being deleted", belief: "the belief that a set that is there stays. It is being deleted, " +
			"and " + collected},
		{err: notFound, belief: "the belief that a set that is not found is there later. It is gone, and " + collected},
		{err: errConflict, belief: "the belief that no answer is a good one. If the set is gone, " + collected},
	} {
		s := &scene{live: tc.live, liveErr: tc.err, children: []string{"a: app=web"}}
		o := s.claim(t.Context())
		v := exercise.Verdict{
			Expected: s.expected("Claim returned no child and an error; nothing was written"), Happened: o.told(),
		}
		switch {
		case o.writes != "" && o.lives == 0:
			v.PointsTo = "the belief that the cache knows whether there is a set. It may be late, and " + collected
		case o.writes != "" && s.requests[0] != "Live":
			v.PointsTo = "the belief that it is enough to look afterwards. The garbage collector is as fast"
		case o.writes != "":
			v.PointsTo = tc.belief
		case o.returned == "no child" && o.err == nil:
			v.PointsTo = "the belief that there is nothing left to do. The child still needs somebody, and only a " +
				"failure is tried again"
		}
		exercise.Expect(t, o.returned == "no child" && o.err != nil && o.writes == "", v)
	}
}

func TestWhatElseIsDone(t *testing.T) {
	exercise.Attempted(t)
	(&scene{live: "web/2", children: []string{"a: app=web", "b: app=web; controlled by web/1",
		"c: app=api; controlled by web/1"}}).
		expect(t, "Claim returned b and an error; SetOwners of c: no owner", beliefs{
			"Claim returned no child and an error; nothing was written": "the belief that without an adoption the " +
				"run is over",
		})
}

func TestLiveIsForTheRun(t *testing.T) {
	exercise.Attempted(t)
	for _, live := range []string{"", "web/2"} {
		s := &scene{live: live, children: []string{"a: app=web", "b: app=web", "c: app=web"}}
		o := s.claim(t.Context())
		v := exercise.Verdict{
			Expected: s.expected("Live is called once"),
			Happened: fmt.Sprintf("it was called %d times", o.lives),
		}
		if o.lives == 3 {
			v.PointsTo = "the belief that each child needs its own look. A set with hundreds of orphans would read " +
				"itself hundreds of times"
		}
		exercise.Expect(t, o.lives == 1, v)
	}
}

func TestNothingToAdopt(t *testing.T) {
	exercise.Attempted(t)
	for _, child := range []string{
		"a: app=web; controlled by web/1", "a: app=api; controlled by web/1", "a: app=web; controlled by db/5",
		"a: app=api", "a: app=web; being deleted",
	} {
		s := &scene{children: []string{child}}
		o := s.claim(t.Context())
		exercise.Expect(t, o.lives == 0, exercise.Verdict{
			Expected: s.expected("There is nothing to adopt, and Live is not called"),
			Happened: fmt.Sprintf("it was called %s", times(o.lives)),
			PointsTo: "the belief that a look past the cache costs nothing. Every run of every set would ask the " +
				"API server, and nearly none adopts",
		})
	}
}

func TestAdoptionFails(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"a: app=web", "b: app=web"}, fails: map[string]error{"a": errConflict}}).
		expect(t, "Claim returned b and an error; SetOwners of a: web/1 as controller; SetOwners of b: web/1 as "+
			"controller", beliefs{
			"Claim returned a and b and an error; SetOwners of a: web/1 as controller; SetOwners of b: web/1 as " +
				"controller": "the belief " +
				"that what was asked for was done",
		})
	(&scene{children: []string{"a: app=web"}, fails: map[string]error{"a": notFound}}).
		expect(t, "Claim returned no child; SetOwners of a: web/1 as controller", beliefs{
			"Claim returned a; SetOwners of a: web/1 as controller": "the belief that no failure is a success. " +
				"A child would be counted that is gone",
		})
}

func TestTheCacheStaysAsItWas(t *testing.T) {
	exercise.Attempted(t)
	s := &scene{children: []string{"a: app=web; owned by config/7",
		"b: app=api; controlled by web/1; owned by config/7"}}
	cached := object(set)
	var children, before []*metav1.PartialObjectMetadata
	for _, words := range s.children {
		children, before = append(children, child(words)), append(before, child(words))
	}
	s.run(t.Context(), cached, children)
	for i, c := range children {
		exercise.Expect(t, equality.Semantic.DeepEqual(c, before[i]), exercise.Verdict{
			Expected: s.expected("Afterwards both are as the cache has them"),
			Happened: fmt.Sprintf("%s has changed: its references are %s", c.Name, owners(c.OwnerReferences)),
			PointsTo: "the belief that a list that was handed over may be worked on. It is the cache's, and others " +
				"read it",
		})
	}
	exercise.Expect(t, equality.Semantic.DeepEqual(cached, object(set)), exercise.Verdict{
		Expected: "the set is as it was", Happened: "it was changed"})
}

func TestItsContext(t *testing.T) {
	exercise.Attempted(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &scene{children: []string{"a: app=api; controlled by web/1"}}
	o := s.claim(ctx)
	exercise.Expect(t, errors.Is(o.err, context.Canceled), exercise.Verdict{
		Expected: "the context has ended; in the error of Claim errors.Is finds context.Canceled",
		Happened: o.told(),
	})
	s = &scene{children: []string{"a: app=web"}}
	o = s.claim(ctx)
	exercise.Expect(t, o.err != nil, exercise.Verdict{
		Expected: "the context has ended, and a child is to be adopted; Claim returns an error",
		Happened: o.told(),
	})
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
