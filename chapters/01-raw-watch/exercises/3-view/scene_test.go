package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// scene is a view, and the server that it may ask.
type scene struct {
	t       *testing.T
	view    *View
	lookups int
}

func newScene(t *testing.T, lookup Lookup, list ...Object) *scene {
	s := &scene{t: t}
	s.view = New("100", list, func(namespace, name string) (Object, error) {
		s.lookups++
		return lookup(namespace, name)
	})
	return s
}

// nothing is the Lookup of a server without objects.
func nothing(string, string) (Object, error) { return Object{}, ErrNotFound }

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

// apply expects that Apply calls the event what is wanted, without an error.
func (s *scene) apply(event Event, want Kind, situation, pointsTo string) {
	s.t.Helper()
	before := s.contents()
	got, err := s.view.Apply(event)
	v := exercise.Verdict{
		Expected: fmt.Sprintf("%s; Apply returns %s", situation, want),
		Happened: fmt.Sprintf("Apply returned %s; the view was %s, and is %s", got, before, s.contents()),
		PointsTo: pointsTo,
	}
	if event.Type == "DELETED" && s.lookups == 0 {
		v.Happened += "; Lookup was not called"
	}
	if err != nil {
		v.Happened = fmt.Sprintf("Apply returned %s and the error %q", got, err)
	}
	if v.PointsTo == "" {
		v.PointsTo = "what the event says about the view: was the object in sight before, and is it now?"
	}
	exercise.Expect(s.t, got == want && err == nil, v)
}

// expectView expects objects, each as name@resourceVersion.
func (s *scene) expectView(want, situation, pointsTo string) {
	s.t.Helper()
	if want == "" {
		want = "empty"
	}
	exercise.Expect(s.t, s.contents() == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s; the view is %s", situation, want),
		Happened: "it is " + s.contents(),
		PointsTo: pointsTo,
	})
}

func (s *scene) expectVersion(want, situation, pointsTo string) {
	s.t.Helper()
	exercise.Expect(s.t, s.view.ResourceVersion() == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s; the view's ResourceVersion is %s", situation, want),
		Happened: fmt.Sprintf("it is %q", s.view.ResourceVersion()),
		PointsTo: pointsTo,
	})
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
