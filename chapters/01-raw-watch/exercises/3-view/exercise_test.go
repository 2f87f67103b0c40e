package view_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/3-view"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The watch of these tests has the selector app=web. Every object that it tells of carries that label.

func TestObjectsComeIntoSight(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	s := newScene(t, nothing)
	s.apply(added("a", "101"), Entered, "a ConfigMap that the view does not have is ADDED")
	s.apply(added("b", "102"), Entered, "another one is ADDED")
	s.apply(modified("a", "103"), Changed, "the first one is MODIFIED")
	s.expectView("a@103 b@102", "two ConfigMaps were added, and the first one modified")
}

func TestNamespaces(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	const name = "the belief that a name is enough to tell two objects apart. " +
		"A watch of all namespaces brings the same name from each"
	in := func(namespace, name, version string) Event {
		event := added(name, version)
		event.Object.Namespace, event.Object.UID = namespace, "uid-"+version
		return event
	}
	s := newScene(t, nothing)
	s.apply(in("default", "a", "101"), Entered, "default/a is ADDED")
	s.apply(in("kube-system", "a", "102"), Entered, "then kube-system/a is ADDED", belief{[]Kind{Changed}, false, name})
	s.expectView("a@101 kube-system/a@102", "default/a and kube-system/a were added")
	for _, tc := range [][2][2]string{
		{{"team", "a-b"}, {"team-a", "b"}},
		{{"team", "ab"}, {"teama", "b"}},
		{{"team", "b.a"}, {"a", "b.team"}},
		{{"one", "two"}, {"two", "one"}},
	} {
		s := newScene(t, nothing)
		one, other := tc[0][0]+"/"+tc[0][1], tc[1][0]+"/"+tc[1][1]
		s.apply(in(tc[0][0], tc[0][1], "101"), Entered, one+" is ADDED")
		s.apply(in(tc[1][0], tc[1][1], "102"), Entered, fmt.Sprintf("%s is in the view, and %s is ADDED", one, other))
	}
	listed := newScene(t, nothing, in("default", "a", "90").Object, in("kube-system", "a", "91").Object)
	listed.expectView("a@90 kube-system/a@91", "a list had default/a and kube-system/a")
}

func TestTheViewDecides(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	s := newScene(t, nothing, added("a", "90").Object)
	s.apply(added("a", "101"), Changed, "a ConfigMap that the view has from the list is ADDED",
		belief{[]Kind{Entered, Nothing}, false,
			"the belief that ADDED means new, or else repeats what is known. It says that the object is in sight, " +
				"and shows it as it is by now: a watch that is opened anew says so of what was there before"})
	s.expectView("a@101", "a ConfigMap that the view had from the list was ADDED with a newer resourceVersion",
		"a@90", "the belief that what is there already need not be looked at again")
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

func TestBeingDeletedIsInSight(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	s := newScene(t, nothing)
	leaving := modified("a", "102")
	leaving.Object.DeletionTimestamp = "2026-01-01T00:00:00Z"
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	s.apply(leaving, Changed, "it is MODIFIED: it has a deletionTimestamp now, and waits for its finalizers")
	s.expectView("a@102", "a ConfigMap was MODIFIED, and waits for its finalizers now")
	leaving = added("b", "103")
	leaving.Object.DeletionTimestamp = "2026-01-01T00:00:00Z"
	s.apply(leaving, Entered, "a ConfigMap that waits for its finalizers is ADDED")
}

func TestModifiedIsTheWholeObject(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, event := range []func(name, version string) Event{modified, added} {
		s := newScene(t, nothing)
		before, after := added("a", "101"), event("a", "102")
		before.Object.Labels["tier"] = "front"
		before.Object.Data = map[string]string{"color": "blue", "size": "3"}
		before.Object.DeletionTimestamp = "2026-01-01T00:00:00Z"
		after.Object.Data = map[string]string{"color": "red"}
		after.Object.UID = "uid-a"
		s.apply(before, Entered, "a ConfigMap with the data color and size is ADDED")
		s.apply(after, Changed, fmt.Sprintf("%s comes for it, and it has the data color alone", after.Type))
		got := "nothing"
		if objects := s.view.Objects(); len(objects) == 1 {
			got = fmt.Sprintf("%+v", objects[0])
		}
		v := exercise.Verdict{
			Expected: fmt.Sprintf("size was removed from the ConfigMap, and the label tier too; the view has %+v",
				after.Object),
			Happened: "the view has " + got,
		}
		if strings.Contains(got, "size:3") && strings.Contains(got, "color:red") {
			v.PointsTo = "the belief that a MODIFIED carries what has changed. " +
				"What was taken away has no way to show in a difference, and this is none"
		}
		exercise.Expect(t, got == fmt.Sprintf("%+v", after.Object), v)
	}
}

func TestBookmark(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	s := newScene(t, nothing)
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	s.apply(bookmark("150"), Nothing, "a BOOKMARK comes, and no object has changed",
		belief{[]Kind{Entered}, false, "the belief that every event is about an object that is watched"})
	s.expectView("a@101", "one ConfigMap was added, and a BOOKMARK came",
		"(an object without a name)@150 a@101",
		"the belief that the object of a BOOKMARK is an object. It has the type of the others, a resourceVersion, "+
			"and no name: nobody created it")
	s.expectVersion("150", "a BOOKMARK came, with the resourceVersion 150",
		"101", "the belief that a bookmark, which changes no object, tells nothing. "+
			"It says that there was nothing to tell up to 150")
	s = newScene(t, nothing)
	s.apply(bookmark("150"), Nothing, "a BOOKMARK comes for a view without objects")
	s.expectVersion("150", "a BOOKMARK came for a view without objects, with the resourceVersion 150")
}

func TestResourceVersion(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	s := newScene(t, nothing)
	s.expectVersion("100", "the view was made from a list with the resourceVersion 100")
	for _, step := range []struct {
		event Event
		want  Kind
		what  string
	}{
		{added("a", "998"), Entered, "an ADDED with the resourceVersion 998"},
		{modified("a", "999"), Changed, "a MODIFIED with the resourceVersion 999"},
		{modified("a", "1000"), Changed, "a MODIFIED with the resourceVersion 1000, after 999"},
		{deleted("a", "1001"), Gone, "a DELETED with the resourceVersion 1001"},
		{deleted("b", "1002"), Nothing,
			"a DELETED with the resourceVersion 1002 for an object that the view does not have"},
		{bookmark("1003"), Nothing, "a BOOKMARK with the resourceVersion 1003"},
		{added("c", "97"), Entered, "an ADDED with the resourceVersion 97, since the server's store was restored"},
		{modified("c", "96"), Changed, "a MODIFIED with the resourceVersion 96"},
	} {
		version, before := step.event.Object.ResourceVersion, s.view.ResourceVersion()
		position := "the belief that some events do not count. The server has told of everything up to " + version +
			"; who goes on from " + before + " hears it again"
		if version == "1001" {
			position = "the belief that the resourceVersion of what is deleted leads back, or nowhere. " +
				"It is that of the deletion: who goes on from " + before + " hears of it again"
		}
		if version == "1000" || len(version) == 2 {
			position = "the belief that a watch brings old news after new, and that comparing two versions finds it. " +
				"The order of the stream is the order of the changes, and a version is a text"
		}
		if step.event.Type == "DELETED" { // of its Kind later
			_, _ = s.view.Apply(step.event)
		} else {
			s.apply(step.event, step.want, "the watch goes on with "+step.what,
				belief{[]Kind{map[bool]Kind{true: Nothing}[version == "1000"]}, false, position})
		}
		s.expectVersion(version, "the watch has come to "+step.what, before, position)
		if has := step.event.Object.Name + "@" + version; step.want == Changed {
			exercise.Expect(t, strings.Contains(s.contents(), has), exercise.Verdict{
				Expected: fmt.Sprintf("the watch has come to %s; the view has %s", step.what, has),
				Happened: "it is " + s.contents(),
			})
		}
	}
}

func TestErrorEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, want := range []StatusError{
		{410, "Expired", "too old resource version: 101 (480)"},
		{500, "InternalError", "etcdserver: request timed out"},
	} {
		s := newScene(t, nothing)
		s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
		kind, err := s.view.Apply(Event{Type: "ERROR", Status: &want})
		var status *StatusError
		v := exercise.Verdict{
			Expected: fmt.Sprintf("an ERROR event with the Status %d comes; Apply returns Nothing and an error in "+
				"which errors.As finds the *StatusError",
				want.Code),
			Happened: fmt.Sprintf("Apply returned %s and the error %s", kind, text(err)),
		}
		if err == nil && want.Code == 410 {
			v.PointsTo = "the belief that an event which changes no object is no news. " +
				"The watch is over, and whoever feeds the view has to hear it"
		}
		exercise.Expect(t, errors.As(err, &status) && status != nil && *status == want && kind == Nothing, v)
		s.expectView("a@101", "one ConfigMap was added, and then an ERROR event came",
			"empty", "the belief that an ERROR event tells something about the objects. It tells about the watch: "+
				"what was known before it still is")
		s.expectVersion("101", "an ERROR event came after the resourceVersion 101",
			"", "the belief that every event has an object with a resourceVersion. That of an ERROR is a Status")
		s.apply(added("b", "102"), Entered, "an ERROR event came, the watch was opened anew, and a ConfigMap is ADDED")
	}
}

func TestUnknownType(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, eventType := range []string{"RENAMED", "added", ""} {
		s := newScene(t, nothing, object("a", "100"))
		event := added("b", "101")
		event.Type = eventType
		kind, err := s.view.Apply(event)
		v := exercise.Verdict{
			Expected: fmt.Sprintf("an event of the type %q, which does not exist, "+
				"is Nothing, and an error that says so", eventType),
			Happened: fmt.Sprintf("Apply returned %s and the error %s, and the view is %s",
				kind, text(err), s.contents()),
		}
		if err == nil && s.contents() != "a@100" && eventType == "RENAMED" {
			v.PointsTo = "the belief that there will never be another type. " +
				"A view that takes what it does not know for something it knows is wrong without a word"
		}
		exercise.Expect(t, err != nil && kind == Nothing && !strings.HasSuffix(text(err), "(nil)"), v)
		s.expectView("a@100", "an event of a type came that does not exist, with an object b")
		s.expectVersion("100", "an event of a type came that does not exist, with the resourceVersion 101")
	}
}

func TestDeletedButStillThere(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct {
		name    string
		labels  map[string]string
		leaving string // its deletionTimestamp
		beliefs []belief
	}{
		{"its label was changed to app=db", map[string]string{"app": "db"}, "", []belief{{[]Kind{Gone}, false,
			"the belief that DELETED says that the object is gone, or that its object shows what became of it. " +
				"It says that the object is out of the selector's sight, and shows the last state that was in sight"}}},
		{"its label was removed while it waits for a finalizer", nil, "2026-01-01T00:00:00Z", []belief{
			{[]Kind{Gone}, false, "the belief that what is being deleted is gone. " +
				"It may wait for its finalizers for days"},
			{[]Kind{Gone}, true, "the belief that what is being deleted is gone. " +
				"It may wait for its finalizers for days"}}},
		{"its label was removed, and set again by now", map[string]string{"app": "web"}, "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gone := deleted("a", "103")
			gone.Object.DeletionTimestamp = tc.leaving
			live := gone.Object
			live.Labels, live.ResourceVersion = tc.labels, "104"
			s := newScene(t, func(string, string) (Object, error) { return live, nil })
			s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
			s.apply(gone, Left, "DELETED comes for it, because "+tc.name+"; it exists, with the same UID",
				tc.beliefs...)
			s.expectView("", "DELETED came, because "+tc.name, "a@104",
				"the belief that what the server says now belongs into the view now. "+
					"The watch has not come that far: the event that tells of it is still on its way")
			s.expectVersion("103", "DELETED came with the resourceVersion 103, and Lookup found the object with 104")
			s.apply(modified("a", "105"), Entered, "the object was out of sight, and MODIFIED comes for it")
		})
	}
}

func TestDeletedAndGone(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, notFound := range []error{ErrNotFound, fmt.Errorf("configmaps %q: %w", "a", ErrNotFound)} {
		s := newScene(t, func(string, string) (Object, error) { return Object{}, notFound })
		s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
		s.apply(deleted("a", "102"), Gone,
			fmt.Sprintf("it is deleted, DELETED comes, and Lookup fails with %q", notFound),
			belief{[]Kind{Left}, false, "the belief that the event shows whether its object still exists. " +
				"A ConfigMap without finalizers gets no deletionTimestamp, and its labels are those it had"})
		s.expectView("", "the only ConfigMap was deleted")
		s.apply(deleted("a", "103"), Nothing, "DELETED comes for it once more")
		s.apply(added("a", "104"), Entered, "a ConfigMap of that name is ADDED")
	}
	t.Run("another object has the name", func(t *testing.T) {
		next := added("a", "103").Object
		next.UID = "uid-the-next-one"
		s := newScene(t, func(string, string) (Object, error) { return next, nil })
		s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
		s.apply(deleted("a", "102"), Gone, "it is deleted, and created anew under its name before the server is asked",
			belief{[]Kind{Left}, true, "the belief that an object is its name. " +
				"What was made for the old one is now taken to belong to the new one"})
		s.expectView("", "a ConfigMap was deleted, and created anew; no event has told of the new one")
		s.expectVersion("102", "DELETED came with the resourceVersion 102, and Lookup found another object with 103")
	})
}

func TestServerCannotSay(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, down := range []error{
		errors.New("dial tcp 127.0.0.1:6443: connection refused"),
		errors.New("dial tcp: lookup api.example.com: host not found"),
		context.DeadlineExceeded,
		&StatusError{403, "Forbidden", "configmaps is forbidden"},
		&StatusError{404, "NotFound", "the server could not find the requested resource"}, // the path, not the object
	} {
		s := newScene(t, func(string, string) (Object, error) { return Object{}, down })
		s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
		kind, err := s.view.Apply(deleted("a", "102"))
		v := exercise.Verdict{
			Expected: fmt.Sprintf("DELETED comes, and Lookup fails with %s; Apply returns Left, "+
				"and an error in which errors.Is finds that one", text(down)),
			Happened: fmt.Sprintf("Apply returned %s and the error %s", kind, text(err)),
		}
		switch {
		case kind == Gone:
			v.PointsTo = "the belief that an error tells what is not there. Only one of Lookup's errors does; " +
				"whoever cleans up after the others does it for an object that may live"
		case kind == Left && err == nil:
			v.PointsTo = "the belief that Left is an answer here like any other. " +
				"Nobody will ask again for an object whose question was not answered"
		}
		exercise.Expect(t, kind == Left && errors.Is(err, down), v)
		const undone = "the belief that an event which ends in an error has not happened. " +
			"The watch will not say again that the object is out of sight"
		s.expectView("", "DELETED came, and Lookup failed", "a@101", undone)
		s.expectVersion("102", "DELETED came with the resourceVersion 102, and Lookup failed", "101", undone)
		s.server = nothing
		s.apply(added("b", "103"), Entered, "Lookup has failed before, and another ConfigMap is ADDED")
		s.apply(deleted("b", "104"), Gone, "Lookup has failed before; "+
			"another ConfigMap is deleted, and Lookup fails with ErrNotFound")
	}
}

func TestAsksTheServerAfterDeletedOnly(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
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

// A watch that was opened anew, without a resourceVersion or from a later one, does not tell what came in between.
func TestTheNameWasGivenAnew(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	const oneName = "the belief that a view has to tell the next object of a name from the one before. " +
		"The server has at most one of a name, so that the one before is gone, and nobody else will say so"
	next := func(event Event) Event {
		event.Object.UID = "uid-the-next-one"
		return event
	}
	for _, event := range []Event{next(added("a", "101")), next(modified("a", "101"))} {
		s := newScene(t, nothing, object("a", "90"))
		kind, err := s.view.Apply(event)
		situation := "the view has a ConfigMap from the list, and " + event.Type +
			" comes for its name with another UID"
		v := exercise.Verdict{
			Expected: situation + "; Apply returns Changed and no error, and the view is a@101",
			Happened: fmt.Sprintf("Apply returned %s and the error %s; the view was a@90, and is %s", kind, text(err),
				s.contents()),
		}
		if s.contents() == "a@90 a@101" || s.contents() == "a@101 a@90" {
			v.PointsTo = oneName
		}
		exercise.Expect(t, kind == Changed && err == nil && s.contents() == "a@101", v)
	}
	s := newScene(t, func(string, string) (Object, error) { return next(modified("a", "102")).Object, nil },
		object("a", "90"))
	s.apply(next(deleted("a", "101")), Gone, "the view has a ConfigMap from the list; "+
		"DELETED comes for its name with another UID, and Lookup finds that other UID")
	s.expectView("", "DELETED came for the name of a ConfigMap in the view, with another UID")
	s.expectAsked("DELETED came for the name of a ConfigMap in the view, with another UID", "default/a")
}

func TestTheSameAgain(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	s := newScene(t, nothing, object("a", "90"))
	s.apply(added("a", "90"), Changed,
		"an ADDED comes for a ConfigMap that the view has from the list, with nothing changed")
	s.apply(modified("a", "90"), Changed, "a MODIFIED comes for a ConfigMap that the view has, with nothing changed")
	s.expectView("a@90", "the same ConfigMap was ADDED and MODIFIED again")
}

func TestViewsAreOnTheirOwn(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	one, other := newScene(t, nothing), newScene(t, nothing)
	one.apply(added("a", "101"), Entered, "a ConfigMap is ADDED to one of two views")
	other.expectView("", "a ConfigMap was added to another view")
	other.expectVersion("100", "a ConfigMap was added to another view with the resourceVersion 101")
	other.apply(added("a", "201"), Entered, "a ConfigMap that another view has is ADDED")
	one.expectView("a@101", "the ConfigMap was added to another view, with the resourceVersion 201")
	one.apply(deleted("a", "102"), Gone, "the ConfigMap is DELETED from one of two views, "+
		"and Lookup fails with ErrNotFound")
	other.expectView("a@201", "the ConfigMap was deleted from another view")
	other.expectAsked("the ConfigMap was deleted from another view")
}
