// Stage 1: what is in sight

package view_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/3-view"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The watch of these tests has the selector app=web. Each object that it tells of carries that label. Until stage 3
// whatever is DELETED still exists: its label was edited.

func TestObjectsComeIntoSight(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, edited)
	s.apply(added("a", "101"), Entered, "a ConfigMap that the view does not have is ADDED")
	s.apply(added("b", "102"), Entered, "another one is ADDED")
	s.apply(modified("a", "103"), Changed, "the first one is MODIFIED")
	s.expectView("a@103 b@102", "two ConfigMaps were added, and the first one modified")
}

func TestDeletedIsOutOfSight(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, edited)
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	s.apply(added("b", "102"), Entered, "another one is ADDED")
	s.apply(deleted("b", "103"), Left, "DELETED comes for the second one",
		belief{[]Kind{Gone}, false, "the belief that DELETED says that the object is gone. " +
			"It says that the object is out of the selector's sight"})
	s.expectView("a@101", "two ConfigMaps were added, and DELETED came for the second one")
	s.apply(added("b", "104"), Entered, "DELETED came for a ConfigMap, and now ADDED comes for it")
}

func TestTheViewDecides(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, edited, added("a", "90").Object)
	s.apply(added("a", "101"), Changed, "a ConfigMap that the view has from the list is ADDED",
		belief{[]Kind{Entered, Nothing}, false,
			"the belief that ADDED means new, or else repeats what is known. It says that the object is in sight, " +
				"and shows it as it is by now: a watch that is opened anew says so of what was there before"})
	s.expectView("a@101", "a ConfigMap that the view had from the list was ADDED with a newer resourceVersion",
		"a@90", "the belief that what is there already need not be looked at again")
	s.apply(modified("a", "101"), Changed, "a MODIFIED comes for it, with nothing changed")
	const first = "the belief that an ADDED always comes before. " +
		"A watch without initial events begins in the middle of an object's life"
	s.apply(modified("b", "102"), Entered, "a ConfigMap that the view has never seen is MODIFIED",
		belief{[]Kind{Changed, Nothing}, false, first})
	s.expectView("a@101 b@102", "a ConfigMap that the view has never seen was MODIFIED", "a@101", first)
	const there = "the belief that whatever is DELETED was in the view. " +
		"There is nothing to clean up behind an object that was never seen"
	s.apply(deleted("c", "103"), Nothing, "a ConfigMap that the view has never seen is DELETED",
		belief{[]Kind{Left, Gone}, false, there}, belief{[]Kind{Left, Gone}, true, there})
}

func TestModifiedIsTheWholeObject(t *testing.T) {
	exercise.Attempted(t)
	const waits = "2026-01-01T00:00:00Z"
	for _, event := range []func(name, version string) Event{modified, added} {
		for _, leaving := range [][2]string{{"", waits}, {waits, ""}} {
			s := newScene(t, edited)
			before, after := added("a", "101"), event("a", "102")
			before.Object.Labels["tier"] = "front"
			before.Object.Data = map[string]string{"color": "blue", "size": "3"}
			after.Object.Data = map[string]string{"color": "red"}
			before.Object.DeletionTimestamp, after.Object.DeletionTimestamp = leaving[0], leaving[1]
			s.apply(before, Entered, "a ConfigMap with the data color and size is ADDED")
			s.apply(after, Changed, fmt.Sprintf("%s comes for it, with the data color alone", after.Type))
			got := "nothing"
			if objects := s.view.Objects(); len(objects) == 1 {
				got = fmt.Sprintf("%+v", objects[0])
			}
			v := exercise.Verdict{
				Expected: fmt.Sprintf("size was removed, and the label tier too; the view has %+v", after.Object),
				Happened: "the view has " + got,
			}
			if strings.Contains(got, "size:3") && strings.Contains(got, "color:red") {
				v.PointsTo = "the belief that a MODIFIED carries what has changed. " +
					"What was taken away has no way to show in a difference, and this is none"
			}
			exercise.Expect(t, got == fmt.Sprintf("%+v", after.Object), v)
		}
	}
}
