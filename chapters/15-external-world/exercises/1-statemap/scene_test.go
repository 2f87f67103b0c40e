package statemap_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/1-statemap"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

var web, db = types.NamespacedName{Namespace: "north", Name: "web"}, types.NamespacedName{Namespace: "north",
	Name: "db"}

var lockHeld = exercise.HangMeans("the belief that whoever has locked may lock once more. A Mutex does not know who " +
	"has it")

// A scene is a map, and what has been done to it.
type scene struct {
	t      *testing.T
	m      *Map
	belief string
	told   []string // the steps so far
	left   int      // the steps that are still to come
}

// play takes the steps of a story, each of which ends with what comes of it:
//
//	Put(north/web, a/1, Running)                         without an error
//	Put(north/web, a/1, Running) is refused: ErrTaken
//	Update(north/web, a/1, Ended) is refused: ErrStale
//	Delete(north/web)
//	ByObject(north/web): a/1, Running                    or: not found
//	ByRun(a/1): north/web, Running                       or: not found
//
// a/1 is attempt 1 of UID a, and none the zero Run. belief is what a failure of the last step points to.
func play(t *testing.T, story, belief string) {
	t.Helper()
	s := &scene{t: t, m: New(), belief: belief}
	steps := strings.Split(story, "; ")
	for i, step := range steps {
		s.left = len(steps) - 1 - i
		s.take(step)
	}
}

func (s *scene) take(step string) {
	s.t.Helper()
	s.told = append(s.told, step)
	call, how, _ := strings.Cut(step, ")")
	method, list, _ := strings.Cut(call, "(")
	arguments := strings.Split(list, ", ")
	switch method {
	case "Put":
		s.refused(how, s.m.Put(objectOf(arguments[0]), runOf(arguments[1]), State{Phase: arguments[2]}))
	case "Update":
		s.refused(how, s.m.Update(objectOf(arguments[0]), runOf(arguments[1]), State{Phase: arguments[2]}))
	case "Delete":
		s.m.Delete(objectOf(arguments[0]))
	case "ByObject":
		run, state, found := s.m.ByObject(objectOf(arguments[0]))
		s.found(how, textOf(run)+", "+state.Phase, found)
	case "ByRun":
		object, state, found := s.m.ByRun(runOf(arguments[0]))
		s.found(how, object.String()+", "+state.Phase, found)
	default:
		panic("no step: " + step)
	}
}

// refused compares an error with how a step should come out.
func (s *scene) refused(how string, err error) {
	s.t.Helper()
	want := map[string]error{"": nil, " is refused: ErrTaken": ErrTaken, " is refused: ErrStale": ErrStale}[how]
	if !errors.Is(err, want) {
		s.fail(fmt.Sprintf("the last step returned the error %v", err))
	}
}

// found compares what was found with how a step should come out.
func (s *scene) found(how, what string, found bool) {
	s.t.Helper()
	if !found {
		what = "not found"
	}
	if how != ": "+what {
		s.fail("the last step found " + strings.Replace(what, "not found", "nothing", 1))
	}
}

// fail ends the story.
func (s *scene) fail(happened string) {
	s.t.Helper()
	v := exercise.Verdict{Expected: strings.Join(s.told, "; "), Happened: happened}
	if s.left == 0 {
		v.PointsTo = s.belief
	}
	exercise.Fail(s.t, v)
}

func objectOf(text string) types.NamespacedName {
	namespace, name, _ := strings.Cut(text, "/")
	return types.NamespacedName{Namespace: namespace, Name: name}
}

// runOf reads what textOf writes.
func runOf(text string) Run {
	if text == "none" {
		return Run{}
	}
	uid, attempt, _ := strings.Cut(text, "/")
	n, err := strconv.Atoi(attempt)
	if err != nil {
		panic(err)
	}
	return Run{UID: types.UID(uid), Attempt: n}
}

func textOf(run Run) string {
	if run == (Run{}) {
		return "none"
	}
	return fmt.Sprintf("%s/%d", run.UID, run.Attempt)
}
