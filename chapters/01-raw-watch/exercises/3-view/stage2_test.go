// Stage 2: how far the view has come

package view_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/3-view"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestTheViewMovesOn(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, edited)
	s.expectVersion("100", "the view was made from a list with the resourceVersion 100")
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	s.expectVersion("101", "a ConfigMap was ADDED with the resourceVersion 101")
	_, err := s.view.Apply(Event{Type: "ERROR", Status: &StatusError{Code: 410, Reason: "Expired", Message: "too old"}})
	exercise.Expect(t, err != nil, exercise.Verdict{
		Expected: "an ERROR comes, and Apply returns an error",
		Happened: "the error was nil",
	})
}

func TestBookmark(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, edited)
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	s.apply(bookmark("150"), Nothing, "a BOOKMARK comes, and no object has changed")
	s.expectView("a@101", "one ConfigMap was added, and a BOOKMARK came",
		"(an object without a name)@150 a@101",
		"the belief that the object of a BOOKMARK is an object. It has the type of the others, a resourceVersion, "+
			"and no name: nobody created it")
	s.expectVersion("150", "a BOOKMARK came, with the resourceVersion 150",
		"101", "the belief that a bookmark, which changes no object, tells nothing. "+
			"It says that there was nothing to tell up to 150")
}

func TestResourceVersion(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, edited)
	for _, step := range []struct {
		event Event
		want  Kind
		what  string
	}{
		{added("a", "998"), Entered, "an ADDED with the resourceVersion 998"},
		{modified("a", "999"), Changed, "a MODIFIED with the resourceVersion 999"},
		{modified("a", "1000"), Changed, "a MODIFIED with the resourceVersion 1000, after 999"},
		{deleted("a", "1001"), Left, "a DELETED with the resourceVersion 1001"},
		{deleted("b", "1002"), Nothing,
			"a DELETED with the resourceVersion 1002 for an object that the view does not have"},
		{bookmark("1003"), Nothing, "a BOOKMARK with the resourceVersion 1003"},
		{added("c", "97"), Entered, "an ADDED with the resourceVersion 97, since the server's store was restored"},
		{modified("c", "96"), Changed, "a MODIFIED with the resourceVersion 96"},
	} {
		version, before := step.event.Object.ResourceVersion, s.view.ResourceVersion()
		position := "the belief that some events do not count. The server has told of everything up to " + version +
			"; who goes on from " + before + " hears it again"
		if version == "1000" || len(version) == 2 {
			position = "the belief that a watch brings old news after new, and that comparing two versions finds it. " +
				"The order of the stream is the order of the changes, and a version is a text"
		}
		s.apply(step.event, step.want, "the watch goes on with "+step.what,
			belief{[]Kind{map[bool]Kind{true: Nothing}[version == "1000"]}, false, position})
		s.expectVersion(version, "the watch has come to "+step.what, before, position)
		if has := step.event.Object.Name + "@" + version; step.want == Changed {
			s.expectView(has, "the watch has come to "+step.what)
		}
	}
}

func TestErrorEvent(t *testing.T) {
	exercise.Attempted(t)
	for _, want := range []StatusError{
		{410, "Expired", "too old resource version: 101 (480)"},
		{500, "InternalError", "etcdserver: request timed out"},
	} {
		s := newScene(t, edited)
		s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
		kind, err := s.view.Apply(Event{Type: "ERROR", Status: &want})
		var status *StatusError
		exercise.Expect(t, errors.As(err, &status) && status != nil && *status == want && kind == Nothing,
			exercise.Verdict{
				Expected: fmt.Sprintf("an ERROR event with the Status %d comes; Apply returns Nothing and an error in "+
					"which errors.As finds the *StatusError", want.Code),
				Happened: fmt.Sprintf("Apply returned %s and the error %s", kind, text(err)),
			})
		s.expectView("a@101", "one ConfigMap was added, and then an ERROR event came",
			"empty", "the belief that an ERROR event tells something about the objects. It tells about the watch: "+
				"what was known before it still is")
		s.expectVersion("101", "an ERROR event came after the resourceVersion 101")
		s.apply(added("b", "102"), Entered, "an ERROR event came, the watch was opened anew, and a ConfigMap is ADDED")
	}
}

func TestUnknownType(t *testing.T) {
	exercise.Attempted(t)
	for _, eventType := range []string{"RENAMED", "added", ""} {
		s := newScene(t, edited, object("a", "100"))
		event := added("b", "101")
		event.Type = eventType
		kind, err := s.view.Apply(event)
		v := exercise.Verdict{
			Expected: fmt.Sprintf("an event of the type %q, which does not exist, is Nothing, and an error", eventType),
			Happened: fmt.Sprintf("Apply returned %s and the error %s, and the view is %s",
				kind, text(err), s.contents()),
		}
		if err == nil && s.contents() != "a@100" {
			v.PointsTo = "the belief that there will never be another type. " +
				"A view that takes what it does not know for something it knows is wrong without a word"
		}
		exercise.Expect(t, err != nil && kind == Nothing && !strings.HasSuffix(text(err), "(nil)"), v)
		s.expectView("a@100", "an event of a type came that does not exist, with an object b")
		s.expectVersion("100", "an event of a type came that does not exist, with the resourceVersion 101")
	}
}
