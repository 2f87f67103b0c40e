package view_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/3-view"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// scene is a view, and the server that it may ask.
type scene struct {
	t      *testing.T
	view   *View
	asked  []string // what Lookup was called for
	server Lookup
}

func newScene(t *testing.T, lookup Lookup, list ...Object) *scene {
	s := &scene{t: t, server: lookup}
	s.view = New("100", list, func(namespace, name string) (Object, error) {
		s.asked = append(s.asked, namespace+"/"+name)
		return s.server(namespace, name)
	})
	return s
}

// nothing is the Lookup of a server without objects.
func nothing(string, string) (Object, error) { return Object{}, ErrNotFound }

// edited is the Lookup of a server on which each object of these tests still exists, with another label.
func edited(namespace, name string) (Object, error) {
	return Object{
		Namespace: namespace, Name: name, UID: "uid-" + name, ResourceVersion: "5000",
		Labels: map[string]string{"app": "db"},
	}, nil
}

func object(name, resourceVersion string) Object {
	return Object{
		Namespace: "default", Name: name, UID: "uid-" + name, ResourceVersion: resourceVersion,
		Labels: map[string]string{"app": "web"},
	}
}

func added(name, resourceVersion string) Event {
	return Event{Type: "ADDED", Object: object(name, resourceVersion)}
}

func modified(name, resourceVersion string) Event {
	return Event{Type: "MODIFIED", Object: object(name, resourceVersion)}
}

// deleted is the event as the server sends it: the last state in sight, with the resourceVersion of the deletion.
func deleted(name, resourceVersion string) Event {
	return Event{Type: "DELETED", Object: object(name, resourceVersion)}
}

func bookmark(resourceVersion string) Event {
	return Event{Type: "BOOKMARK", Object: Object{ResourceVersion: resourceVersion}}
}

// belief is what a wrong answer points to.
type belief struct {
	answers []Kind // when Apply returned one of these, without an error
	asked   bool   // and has asked the server, or has not
	text    string
}

// apply expects that Apply calls the event what is wanted, without an error.
func (s *scene) apply(event Event, want Kind, situation string, beliefs ...belief) {
	s.t.Helper()
	before, askedBefore := s.contents(), len(s.asked)
	got, err := s.view.Apply(event)
	asked := len(s.asked) > askedBefore
	v := exercise.Verdict{
		Expected: fmt.Sprintf("%s; Apply returns %s and no error", situation, want),
		Happened: fmt.Sprintf("Apply returned %s; the view was %s, and is %s", got, before, s.contents()),
	}
	if (got == Gone || want == Gone) && !asked {
		v.Happened += "; Lookup was not called"
	}
	for _, b := range beliefs {
		if err == nil && asked == b.asked && slices.Contains(b.answers, got) {
			v.PointsTo = b.text
		}
	}
	if err != nil {
		v.Happened = fmt.Sprintf("Apply returned %s and the error %s", got, text(err))
	}
	exercise.Expect(s.t, got == want && err == nil, v)
}

// unanswered expects that a DELETED is Left, with the error of Lookup. The belief is that of an Apply which takes the
// object for gone.
func (s *scene) unanswered(event Event, down error, belief ...string) {
	s.t.Helper()
	kind, err := s.view.Apply(event)
	v := exercise.Verdict{
		Expected: fmt.Sprintf("DELETED comes, and Lookup fails with %s; Apply returns Left, "+
			"and an error in which errors.Is finds that one", text(down)),
		Happened: fmt.Sprintf("Apply returned %s and the error %s", kind, text(err)),
	}
	if kind == Gone {
		v.PointsTo = strings.Join(belief, " ")
	}
	exercise.Expect(s.t, kind == Left && errors.Is(err, down), v)
}

// text is the text of an error, also of one that is none.
func text(err error) (s string) {
	if err == nil {
		return "nil"
	}
	defer func() {
		if recover() != nil {
			s = fmt.Sprintf("%T(nil)", err)
		}
	}()
	return fmt.Sprintf("%q", err.Error())
}

// expectView expects objects, each as name@resourceVersion. The beliefs are what else the view may be, and what that
// points to, in turn.
func (s *scene) expectView(want, situation string, beliefs ...string) {
	s.t.Helper()
	if want == "" {
		want = "empty"
	}
	exercise.Expect(s.t, s.contents() == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s; the view is %s", situation, want),
		Happened: "it is " + s.contents(),
		PointsTo: of(s.contents(), beliefs),
	})
}

func (s *scene) expectVersion(want, situation string, beliefs ...string) {
	s.t.Helper()
	got := s.view.ResourceVersion()
	exercise.Expect(s.t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s; the view's ResourceVersion is %s", situation, want),
		Happened: fmt.Sprintf("it is %q", got),
		PointsTo: of(got, beliefs),
	})
}

// expectAsked expects that Lookup was called for these, and nothing else.
func (s *scene) expectAsked(situation string, want ...string) {
	s.t.Helper()
	exercise.Expect(s.t, slices.Equal(s.asked, want), exercise.Verdict{
		Expected: fmt.Sprintf("%s; Lookup is called for %s", situation, list(want)),
		Happened: "it was called for " + list(s.asked),
	})
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", then for ")
}

// of finds the belief that goes with what was got.
func of(got string, beliefs []string) string {
	for i := 0; i+1 < len(beliefs); i += 2 {
		if beliefs[i] == got {
			return beliefs[i+1]
		}
	}
	return ""
}

// contents is what is in the view; the namespace default is left out.
func (s *scene) contents() string {
	var all []string
	for _, o := range s.view.Objects() {
		name := o.Namespace + "/" + o.Name
		if o.Name == "" {
			name = "(an object without a name)"
		}
		all = append(all, strings.TrimPrefix(name, "default/")+"@"+o.ResourceVersion)
	}
	if all == nil {
		return "empty"
	}
	return strings.Join(all, " ")
}
