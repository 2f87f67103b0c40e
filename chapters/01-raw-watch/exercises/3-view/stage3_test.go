// Stage 3: left, or gone

package view_test

import (
	"errors"
	"fmt"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/3-view"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestDeletedAndGone(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing)
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	s.apply(deleted("a", "102"), Gone, "DELETED comes for it, and Lookup fails with ErrNotFound")
	s.expectView("", "the only ConfigMap was deleted")
}

func TestAsksTheServerAfterDeletedOnly(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing)
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	s.apply(modified("a", "102"), Changed, "it is MODIFIED")
	s.apply(bookmark("103"), Nothing, "a BOOKMARK comes")
	_, _ = s.view.Apply(Event{
		Type: "ERROR", Status: &StatusError{500, "InternalError", "etcdserver: request timed out"},
	})
	exercise.Expect(t, len(s.asked) == 0, exercise.Verdict{
		Expected: "an ADDED, a MODIFIED, a BOOKMARK and an ERROR, and no question to the server",
		Happened: fmt.Sprintf("Lookup was called %d times", len(s.asked)),
		PointsTo: "the belief that an event is only a hint to go and look. " +
			"These carry all there is to know, and a watch that costs a request per event is polling",
	})
	_, _ = s.view.Apply(deleted("b", "104"))
	s.expectAsked("DELETED came for default/b, which the view does not have")
	_, _ = s.view.Apply(deleted("a", "105"))
	s.expectAsked("DELETED came for default/a, which the view has", "default/a")
	s.server = func(string, string) (Object, error) { return Object{}, errors.New("connection refused") }
	s.apply(added("b", "106"), Entered, "another ConfigMap is ADDED")
	_, _ = s.view.Apply(deleted("b", "107"))
	s.expectAsked("DELETED came for default/b too, and Lookup failed", "default/a", "default/b")
}

func TestDeletedButStillThere(t *testing.T) {
	exercise.Attempted(t)
	for _, tc := range []struct {
		name    string
		labels  map[string]string
		leaving string // its deletionTimestamp
	}{
		{"its label was changed to app=db", map[string]string{"app": "db"}, ""},
		{"its label was removed while it waits for a finalizer", nil, "2026-01-01T00:00:00Z"},
		{"its label was removed, and set again by now", map[string]string{"app": "web"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gone := deleted("a", "103")
			gone.Object.DeletionTimestamp = tc.leaving
			live := gone.Object
			live.Labels, live.ResourceVersion = tc.labels, "104"
			s := newScene(t, func(string, string) (Object, error) { return live, nil })
			s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
			s.apply(gone, Left, "DELETED comes for it, because "+tc.name+"; it exists, with the same UID",
				belief{[]Kind{map[bool]Kind{true: Gone}[tc.leaving != ""]}, true,
					"the belief that what is being deleted is gone. It may wait for its finalizers for days"})
			s.expectView("", "DELETED came, because "+tc.name, "a@104",
				"the belief that what the server says now belongs into the view now. "+
					"The watch has not come that far: the event that tells of it is still on its way")
			s.expectVersion("103", "DELETED came with the resourceVersion 103, and Lookup found the object with 104")
			s.apply(modified("a", "105"), Entered, "the object was out of sight, and MODIFIED comes for it")
		})
	}
}

func TestAnotherObjectHasTheName(t *testing.T) {
	exercise.Attempted(t)
	next := added("a", "103").Object
	next.UID = "uid-the-next-one"
	s := newScene(t, func(string, string) (Object, error) { return next, nil })
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	s.apply(deleted("a", "102"), Gone, "it is deleted, and created anew under its name before the server is asked",
		belief{[]Kind{Left}, true, "the belief that an object is its name. " +
			"What was made for the old one is now taken to belong to the new one"})
	s.expectView("", "a ConfigMap was deleted, and created anew; no event has told of the new one")
	s.expectVersion("102", "DELETED came with the resourceVersion 102, and Lookup found another object with 103")
}

func TestNotFoundMayBeWrapped(t *testing.T) {
	exercise.Attempted(t)
	notFound := fmt.Errorf("configmaps %q: %w", "a", ErrNotFound)
	s := newScene(t, func(string, string) (Object, error) { return Object{}, notFound })
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	s.apply(deleted("a", "102"), Gone, fmt.Sprintf("DELETED comes for it, and Lookup fails with %q", notFound))
	s.apply(deleted("a", "103"), Nothing, "DELETED comes for it once more")
	s.apply(added("a", "104"), Entered, "a ConfigMap of that name is ADDED")
}
