package operations_test

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/2-operations"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

var web, db = types.NamespacedName{Namespace: "north", Name: "web"}, types.NamespacedName{Namespace: "north",
	Name: "db"}

// nobody is told.
func nobody(types.NamespacedName) {}

// A scene is the operations of a controller, and what has been done to them.
type scene struct {
	t      *testing.T
	o      *Operations
	belief string
	steps  []string // so far
	left   int      // the steps that are still to come
	told   []string // the objects that notify was called with in this step
}

// play takes the steps of a story, each of which ends with what comes of it:
//
//	Defer(north/web, a/1, x)                        x adds x to the Phase
//	Defer(north/web, a/1, x), which tells           notify is called with north/web, once
//	Defer(north/web, a/1, x), which tells nobody
//	Defer(north/web, a/1, x that defers y)          y is for the same object and run
//	Defer(north/web, a/1, x that moves to a/2)      sets the Run
//	Defer(north/web, a/1, x that panics)            with x in the Phase already, or: that panics at once
//	Apply(north/web, a/1) leaves xy                 a state with that Run, and without a Phase before
//	Apply(north/web, a/1) leaves nothing, and tells
//	Apply(north/web, a/1) leaves y, and an error
//	Forget(north/web)
//
// a/1 is attempt 1 of UID a. belief is what a failure of the last step points to.
func play(t *testing.T, story, belief string) {
	t.Helper()
	s := &scene{t: t, belief: belief}
	s.o = New(func(object types.NamespacedName) { s.told = append(s.told, object.String()) })
	steps := strings.Split(story, "; ")
	for i, step := range steps {
		s.left = len(steps) - 1 - i
		s.take(step)
	}
}

func (s *scene) take(step string) {
	s.t.Helper()
	s.steps, s.told = append(s.steps, step), nil
	call, how, _ := strings.Cut(step, ")")
	method, list, _ := strings.Cut(call, "(")
	arguments := strings.Split(list, ", ")
	object := objectOf(arguments[0])
	switch method {
	case "Defer":
		s.o.Defer(object, runOf(arguments[1]), s.operation(object, runOf(arguments[1]), arguments[2]))
		s.tells(how, ", which tells", arguments[0])
	case "Apply":
		s.apply(object, runOf(arguments[1]), how)
		s.tells(how, ", and tells", arguments[0])
	case "Forget":
		s.o.Forget(object)
	default:
		panic("no step: " + step)
	}
}

// operation is what "x that defers y" says.
func (s *scene) operation(object types.NamespacedName, run Run, text string) Operation {
	name, what, _ := strings.Cut(text, " that ")
	return func(state *State) {
		if what == "panics at once" {
			panic("no more names for " + name)
		}
		state.Phase += name
		if what == "panics" {
			state.Run = Run{}
			panic("no more names for " + name)
		}
		if deferred, ok := strings.CutPrefix(what, "defers "); ok {
			s.o.Defer(object, run, s.operation(object, run, deferred))
		}
		if next, ok := strings.CutPrefix(what, "moves to "); ok {
			state.Run = runOf(next)
		}
	}
}

// apply compares what an Apply leaves with what it should.
func (s *scene) apply(object types.NamespacedName, run Run, how string) {
	s.t.Helper()
	state := State{Run: run}
	err := s.applied(object, &state)
	want := strings.TrimPrefix(how, " leaves ")
	want, _, _ = strings.Cut(want, ",")
	switch got := cmp.Or(state.Phase, "nothing"); {
	case got != want:
		s.fail("the last step left " + got)
	case strings.HasSuffix(how, "and an error"):
		if err == nil || !strings.Contains(err.Error(), "no more names for ") {
			s.steps = append(s.steps, `"no more names for ..." is said by the panic, and the error`)
			s.fail(fmt.Sprintf("the error was %v", err))
		}
	case err != nil:
		s.fail(fmt.Sprintf("the last step returned the error %v", err))
	}
}

// applied is an Apply that does not panic.
func (s *scene) applied(object types.NamespacedName, state *State) error {
	s.t.Helper()
	defer func() {
		if p := recover(); p != nil {
			s.fail(fmt.Sprintf("the last step panicked: %v", p))
		}
	}()
	return s.o.Apply(object, state)
}

// tells compares who was told with how a step should come out.
func (s *scene) tells(how, words, object string) {
	s.t.Helper()
	want := ""
	switch {
	case strings.HasSuffix(how, words+" nobody"):
	case strings.HasSuffix(how, words):
		want = object
	default:
		return // stage 1, or somebody else's matter
	}
	if got := strings.Join(s.told, ", and "); got != want {
		s.fail("in the last step these were told: " + cmp.Or(got, "none"))
	}
}

// fail ends the story.
func (s *scene) fail(happened string) {
	s.t.Helper()
	v := exercise.Verdict{Expected: strings.Join(s.steps, "; "), Happened: happened}
	if s.left == 0 {
		v.PointsTo = s.belief
	}
	exercise.Fail(s.t, v)
}

func objectOf(text string) types.NamespacedName {
	namespace, name, _ := strings.Cut(text, "/")
	return types.NamespacedName{Namespace: namespace, Name: name}
}

func runOf(text string) Run {
	uid, attempt, _ := strings.Cut(text, "/")
	n, err := strconv.Atoi(attempt)
	if err != nil {
		panic(err)
	}
	return Run{UID: types.UID(uid), Attempt: n}
}
