package view

import (
	"errors"
	"fmt"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The watch of these tests has the selector app=web. Every object that it tells of carries that label.

func TestObjectsComeIntoSight(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing)
	s.apply(added("a", "101"), Entered, "a ConfigMap that the view does not have is ADDED", "")
	s.apply(added("b", "102"), Entered, "another one is ADDED", "")
	s.apply(modified("a", "103"), Changed, "the first one is MODIFIED", "")
	s.expectView("a@103 b@102", "two ConfigMaps were added, and the first one modified", "what a MODIFIED carries: the object as it is now")
}

func TestNamespaces(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing)
	const belief = "the belief that a name is enough to tell two objects apart. A watch of all namespaces brings the same name from each"
	other := added("a", "102")
	other.Object.Namespace, other.Object.UID = "kube-system", "uid-other"
	s.apply(added("a", "101"), Entered, "default/a is ADDED", "")
	s.apply(other, Entered, "then kube-system/a is ADDED", belief)
	s.expectView("a@101 kube-system/a@102", "default/a and kube-system/a were added", belief)
}

func TestModifiedIsTheWholeObject(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing)
	before := added("a", "101")
	before.Object.Labels["tier"] = "front"
	before.Object.Data = map[string]string{"color": "blue", "size": "3"}
	after := modified("a", "102")
	after.Object.Data = map[string]string{"color": "red"}
	s.apply(before, Entered, "a ConfigMap with the data color and size is ADDED", "")
	s.apply(after, Changed, "it is MODIFIED, and has the data color alone", "")
	objects := s.view.Objects()
	got := "nothing"
	if len(objects) == 1 {
		got = fmt.Sprintf("data %v and labels %v", objects[0].Data, objects[0].Labels)
	}
	exercise.Expect(t, got == fmt.Sprintf("data %v and labels %v", after.Object.Data, after.Object.Labels), exercise.Verdict{
		Expected: fmt.Sprintf("size was removed from the ConfigMap, and the label tier too; the view has data %v and labels %v",
			after.Object.Data, after.Object.Labels),
		Happened: "the view has " + got,
		PointsTo: "the belief that a MODIFIED carries what has changed. What was taken away has no way to show in a difference, and this is none",
	})
}

func TestBookmark(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing)
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED", "")
	s.apply(bookmark("150"), Nothing, "a BOOKMARK comes, and no object has changed", "the belief that every event is about an object that is watched")
	s.expectView("a@101", "one ConfigMap was added, and a BOOKMARK came",
		"the belief that the object of a BOOKMARK is an object. It has the type of the others, a resourceVersion, and no name: nobody created it")
	s.expectVersion("150", "a BOOKMARK came, with the resourceVersion 150",
		"the belief that a bookmark, which changes no object, tells nothing. It says that there was nothing to tell up to 150")
}

func TestResourceVersion(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing)
	for _, step := range []struct {
		event Event
		want  Kind
		what  string
	}{
		{added("a", "998"), Entered, "an ADDED with the resourceVersion 998"},
		{modified("a", "999"), Changed, "a MODIFIED with the resourceVersion 999"},
		{modified("a", "1000"), Changed, "a MODIFIED with the resourceVersion 1000, after 999"},
		{deleted("a", "1001"), "", "a DELETED with the resourceVersion 1001"},
	} {
		version := step.event.Object.ResourceVersion
		before := s.view.ResourceVersion()
		skipped := "the belief that a watch brings old news after new, and that comparing two versions finds it. As texts, 1000 comes before 999"
		if version != "1000" {
			skipped = ""
		}
		if step.event.Type == "DELETED" { // of its Kind later
			_, _ = s.view.Apply(step.event)
		} else {
			s.apply(step.event, step.want, "the watch goes on with "+step.what, skipped)
		}
		position := fmt.Sprintf("the belief that some events do not count. The server has told of everything up to %s; who goes on from %s hears it again",
			version, before)
		if step.event.Type == "DELETED" {
			position = fmt.Sprintf("the belief that the resourceVersion of what is deleted leads back, or nowhere. It is that of the deletion: "+
				"who goes on from %s hears of it again", before)
		}
		s.expectVersion(version, "the watch has come to "+step.what, position)
	}
}

func TestErrorEvent(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing)
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED", "")
	_, err := s.view.Apply(Event{Type: "ERROR", Status: &StatusError{410, "Expired", "too old resource version: 101 (480)"}})
	var status *StatusError
	exercise.Expect(t, errors.As(err, &status) && status.Code == 410, exercise.Verdict{
		Expected: "an ERROR event with the Status 410 comes; Apply returns an error in which errors.As finds the *StatusError",
		Happened: fmt.Sprintf("Apply returned the error %v", err),
		PointsTo: "the belief that an event which changes no object is no news. The watch is over, and whoever feeds the view has to hear it",
	})
	s.expectView("a@101", "one ConfigMap was added, and then an ERROR event came",
		"the belief that an ERROR event tells something about the objects. It tells about the watch: what was known before it still is")
	s.expectVersion("101", "an ERROR event came after the resourceVersion 101",
		"the belief that every event has an object with a resourceVersion. That of an ERROR is a Status")
}

func TestUnknownType(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing)
	event := added("a", "101")
	event.Type = "RENAMED"
	_, err := s.view.Apply(event)
	exercise.Expect(t, err != nil, exercise.Verdict{
		Expected: "an event of the type RENAMED, which does not exist, is an error",
		Happened: "Apply returned no error, and the view is " + s.contents(),
		PointsTo: "the belief that there will never be another type. A view that takes what it does not know for something it knows is wrong without a word",
	})
}

func TestDeletedButStillThere(t *testing.T) {
	exercise.Attempted(t)
	for _, tc := range []struct {
		name    string
		labels  map[string]string
		leaving string // its deletionTimestamp
		belief  string
	}{
		{"its label was changed to app=db", map[string]string{"app": "db"}, "",
			"the belief that DELETED says that the object is gone, or that its object shows what became of it. It says that the object is out of " +
				"the selector's sight, and shows the last state that was in sight"},
		{"its label was removed while it waits for a finalizer", nil, "2026-01-01T00:00:00Z",
			"the belief that what is being deleted is gone. It may wait for its finalizers for days"},
		{"its label was removed, and set again by now", map[string]string{"app": "web"}, "",
			"the belief that what the server says now belongs into the view now. The watch has not come that far: the event that tells of it is still on its way"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gone := deleted("a", "103")
			gone.Object.DeletionTimestamp = tc.leaving
			live := gone.Object
			live.Labels, live.ResourceVersion = tc.labels, "104"
			s := newScene(t, func(string, string) (Object, error) { return live, nil })
			s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED", "")
			s.apply(gone, Left, "DELETED comes for it, because "+tc.name+"; it exists, with the same UID", tc.belief)
			s.expectView("", "DELETED came, because "+tc.name, tc.belief)
		})
	}
}

func TestDeletedAndGone(t *testing.T) {
	exercise.Attempted(t)
	t.Run("no object has the name", func(t *testing.T) {
		s := newScene(t, nothing)
		s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED", "")
		s.apply(deleted("a", "102"), Gone, "it is deleted, DELETED comes, and the server has no object of that name",
			"the belief that the event shows whether its object still exists. A ConfigMap without finalizers gets no deletionTimestamp, "+
				"and its labels are those it had")
		s.expectView("", "the only ConfigMap was deleted", "what DELETED says about the view")
	})
	t.Run("another object has the name", func(t *testing.T) {
		next := added("a", "103").Object
		next.UID = "uid-the-next-one"
		s := newScene(t, func(string, string) (Object, error) { return next, nil })
		s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED", "")
		s.apply(deleted("a", "102"), Gone, "it is deleted, and created anew under its name before the server is asked",
			"the belief that an object is its name. What was made for the old one is now taken to belong to the new one")
	})
}

func TestServerCannotSay(t *testing.T) {
	exercise.Attempted(t)
	down := errors.New("dial tcp 127.0.0.1:6443: connection refused")
	s := newScene(t, func(string, string) (Object, error) { return Object{}, down })
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED", "")
	kind, err := s.view.Apply(deleted("a", "102"))
	exercise.Expect(t, kind == Left, exercise.Verdict{
		Expected: "DELETED comes, and Lookup fails because the connection is refused; Apply returns Left",
		Happened: fmt.Sprintf("Apply returned %s and the error %v", kind, err),
		PointsTo: "the belief that an error tells what is not there. Only one of Lookup's errors does; whoever cleans up after the others does it for an object " +
			"that may live",
	})
	exercise.Expect(t, errors.Is(err, down), exercise.Verdict{
		Expected: "DELETED comes, and Lookup fails because the connection is refused; in what Apply returns, errors.Is finds that error",
		Happened: fmt.Sprintf("Apply returned the error %v", err),
		PointsTo: "the belief that Left is an answer here like any other. Nobody will ask again for an object whose question was not answered",
	})
	s.expectView("", "DELETED came, and Lookup failed",
		"the belief that an event which ends in an error has not happened. The watch will not say again that the object is out of sight")
	s.expectVersion("102", "DELETED came with the resourceVersion 102, and Lookup failed", "the belief that an event which ends in an error has not happened")
}

func TestTheViewDecides(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing, added("a", "90").Object)
	s.apply(added("a", "101"), Changed, "a ConfigMap that the view has from the list is ADDED",
		"the belief that ADDED means new, or else repeats what is known. It says that the object is in sight, and shows it as it is by now: "+
			"a watch that is opened anew says so of what was there before")
	s.expectView("a@101", "a ConfigMap that the view had from the list was ADDED with a newer resourceVersion",
		"the belief that what is there already need not be looked at again")
	s.apply(modified("b", "102"), Entered, "a ConfigMap that the view has never seen is MODIFIED",
		"the belief that an ADDED always comes before. A watch without initial events begins in the middle of an object's life")
	s.expectView("a@101 b@102", "a ConfigMap that the view has never seen was MODIFIED", "the belief that an ADDED always comes before")
	s.apply(deleted("c", "103"), Nothing, "a ConfigMap that the view has never seen is DELETED",
		"the belief that whatever is DELETED was in the view. There is nothing to clean up behind an object that was never seen")
}

func TestAsksTheServerAfterDeletedOnly(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, nothing)
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED", "")
	s.apply(modified("a", "102"), Changed, "it is MODIFIED", "")
	s.apply(bookmark("103"), Nothing, "a BOOKMARK comes", "")
	exercise.Expect(t, s.lookups == 0, exercise.Verdict{
		Expected: "an ADDED, a MODIFIED and a BOOKMARK, and no question to the server",
		Happened: fmt.Sprintf("Lookup was called %d times", s.lookups),
		PointsTo: "the belief that an event is only a hint to go and look. These carry all there is to know, and a watch that costs a request per event is polling",
	})
}
