package versions_test

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/2-versions"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// clues tells which belief a wrong answer points to, written as in a verdict: `List "0"`, or `false` from Event.
type clues map[string]string

// scene is the Versions of one reflector, and what has happened to it.
type scene struct {
	t   *testing.T
	v   *Versions
	log []string
}

func begin(t *testing.T) *scene { return &scene{t: t, v: &Versions{}} }

// after begins a verdict.
func (s *scene) after() string {
	if len(s.log) == 0 {
		return "of a new reflector"
	}
	return "after " + strings.Join(s.log, ", ")
}

func (s *scene) did(format string, args ...any) { s.log = append(s.log, fmt.Sprintf(format, args...)) }

// synced is a list or the initial state of a streaming list.
func (s *scene) synced(version string) *scene {
	s.v.Synced(version)
	s.did("Synced(%q)", version)
	return s
}

// opened is a watch without initial events: the reflector asks for its version, and the server accepts it.
func (s *scene) opened() *scene {
	version := s.v.Watch()
	s.v.Opened()
	s.did("Opened at %q", version)
	return s
}

func (s *scene) unavailable() *scene {
	s.v.Unavailable()
	s.did("Unavailable")
	return s
}

// eventOf is an event as a watch sends it. A BOOKMARK has an object with a version alone.
func eventOf(kind watch.EventType, version string) watch.Event {
	object := &metav1.PartialObjectMetadata{}
	object.ResourceVersion = version
	if kind != watch.Bookmark {
		object.Namespace, object.Name = "default", "x"+version
	}
	return watch.Event{Type: kind, Object: object}
}

// counts is an event whose version is Last from then on.
func (s *scene) counts(kind watch.EventType, version string, about clues) *scene {
	s.t.Helper()
	s.event(kind, version, true, about)
	return s.holds(version, about)
}

// leaves is an event that leaves Last as it was. It knows the right answers before it.
func (s *scene) leaves(kind watch.EventType, version string, want answers, about clues) *scene {
	s.t.Helper()
	s.event(kind, version, false, about)
	return s.answers(want, about)
}

func (s *scene) event(kind watch.EventType, version string, want bool, about clues) {
	s.t.Helper()
	got := s.v.Event(eventOf(kind, version))
	exercise.Expect(s.t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s: Event of %s %s returns %v", s.after(), kind, version, want),
		Happened: fmt.Sprintf("it returned %v", got),
		PointsTo: about[fmt.Sprint(got)],
	})
	s.did("%s %s", kind, version)
}

// answers are what a Versions returns when it is asked.
type answers struct{ last, list, stream, watch string }

// holds wants the same version for every question.
func (s *scene) holds(version string, about clues) *scene {
	s.t.Helper()
	return s.answers(answers{version, version, version, version}, about)
}

// answers asks every question, and then once more in another order.
func (s *scene) answers(want answers, about clues) *scene {
	s.t.Helper()
	questions := []struct {
		name string
		ask  func() string
		want string
	}{
		{"Last", s.v.Last, want.last}, {"List", s.v.List, want.list},
		{"Stream", s.v.Stream, want.stream}, {"Watch", s.v.Watch, want.watch},
		{"List", s.v.List, want.list}, {"Last", s.v.Last, want.last}, {"Stream", s.v.Stream, want.stream},
	}
	for i, q := range questions {
		got, when := q.ask(), s.after()
		if i >= 4 {
			when += ", when it is asked a second time"
		}
		exercise.Expect(s.t, got == q.want, exercise.Verdict{
			Expected: fmt.Sprintf("%s: %s is %q", when, q.name, q.want),
			Happened: fmt.Sprintf("it was %q", got),
			PointsTo: about[fmt.Sprintf("%s %q", q.name, got)],
		})
	}
	return s
}
