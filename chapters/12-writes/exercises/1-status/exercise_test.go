package status_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/exercises/1-status"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

const shared = "the belief that what was read is the reader's own. It is the cache's, and all who read have the same " +
	"one"

const eachLook = "the belief that lastTransitionTime is the time of the last look. It would be another one each " +
	"time: each write would bring the next call, and that the next write"

const merges = "the belief that a merge patch merges lists. It puts the new list in the place of the old one"

// needless is a belief about a write where none should be.
func needless(writes []write, read *pdb) string {
	if len(writes) != 1 {
		return ""
	}
	status, _ := writes[0].patch["status"].(map[string]any)
	if len(status) == 0 {
		return "the belief that a patch without a change costs nothing. It is a request like any other"
	}
	if list, _ := status["conditions"].([]any); len(list) == 1 && len(read.Status.Conditions) > 1 {
		return merges
	}
	if len(status) == 1 && onlyTheTime(status["conditions"], read) {
		return eachLook
	}
	return ""
}

// onlyTheTime reports whether conditions differ from those that were read in the time of Healthy alone.
func onlyTheTime(got any, read *pdb) bool {
	var list []metav1.Condition
	if json.Unmarshal([]byte(text(got)), &list) != nil || len(list) != len(read.Status.Conditions) {
		return false
	}
	moved := false
	for i, was := range read.Status.Conditions {
		if was.Type == Healthy && !was.LastTransitionTime.Equal(&list[i].LastTransitionTime) {
			moved, list[i].LastTransitionTime = true, was.LastTransitionTime
		}
		if text(was) != text(list[i]) {
			return false
		}
	}
	return moved
}

// misled is a belief about a patch that is not the one that should be.
func misled(want, got map[string]any, read *pdb) string {
	differs := differences("", want, got)
	_, hasStatus := got["status"]
	should, _ := want["status"].(map[string]any)
	status, _ := got["status"].(map[string]any)
	list, _ := status["conditions"].([]any)
	wanted, _ := should["conditions"].([]any)
	switch {
	case len(differs) == 0:
		return ""
	case !hasStatus && strings.Join(differs, "") == "status is not in it":
		return "the belief that MergeFrom keeps what an object was. It keeps the object, and compares when it is sent"
	case differs[0] == "metadata is not in it" || differs[0] == "metadata.resourceVersion is not in it":
		return "the belief that a merge patch undoes nothing of others. It replaces the list of conditions, and a " +
			"condition that somebody has written since it was read is gone"
	case len(list) == 1 && len(wanted) > 1:
		return merges
	case wanted == nil && len(differs) == 1 && onlyTheTime(list, read):
		return eachLook
	}
	return ""
}

// A change makes something of a settled scene.
type change struct {
	told string
	do   func(s *scene, o *pdb)
}

// healthy is the condition of an object.
func healthy(o *pdb) *metav1.Condition {
	for i := range o.Status.Conditions {
		if o.Status.Conditions[i].Type == Healthy {
			return &o.Status.Conditions[i]
		}
	}
	return &metav1.Condition{}
}

// each checks a settled scene after each of the changes.
func each(t *testing.T, changes []change) {
	t.Helper()
	exercise.Bubble(t, func(t *testing.T) {
		for _, c := range changes {
			s := settled()
			s.told = c.told
			c.do(s, s.cache)
			s.holds(s.cache)
			check(t, s)
		}
	})
}

func TestFirstReport(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		s := settled()
		o := s.cache
		s.told = "a new object of generation 1, with nothing in its status"
		o.Generation, o.Status = 1, settled().cache.Status
		o.Status.ObservedGeneration, o.Status.CurrentHealthy, o.Status.DesiredHealthy = 0, 0, 0
		o.Status.ExpectedPods, o.Status.DisruptionsAllowed, o.Status.DisruptedPods, o.Status.Conditions = 0, 0, nil, nil
		s.holds(o)
		check(t, s)
		if t.Failed() {
			return
		}
		s.told, s.cache, s.now = "the cache has the object as it was written, a minute later", s.server.DeepCopy(),
			moment(31)
		check(t, s)
	})
}

func TestNothingToWrite(t *testing.T) {
	exercise.Attempted(t)
	each(t, []change{
		{"a status that says what is observed", func(*scene, *pdb) {}},
		{"a status that says what is observed, a day later", func(s *scene, _ *pdb) { s.now = moment(24 * 60) }},
		{"a status that says so, with no pod disrupted", func(_ *scene, o *pdb) { o.Status.DisruptedPods = nil }},
		{"a status that says so, with the condition Healthy alone", func(_ *scene, o *pdb) {
			o.Status.Conditions = []metav1.Condition{*healthy(o)}
		}},
		{"a status that says so: False, and no pods", func(s *scene, o *pdb) {
			s.observed = Observed{Reason: "NoPods"}
			o.Status.CurrentHealthy, o.Status.DesiredHealthy, o.Status.ExpectedPods = 0, 0, 0
			o.Status.DisruptionsAllowed = 0
			c := healthy(o)
			c.Status, c.Reason, c.Message = "False", "NoPods", ""
		}},
		{"a status that says so, of an object that is being deleted", func(_ *scene, o *pdb) {
			o.DeletionTimestamp = new(since(20))
		}},
		{"a status that says so, and other metadata", func(_ *scene, o *pdb) {
			o.ResourceVersion, o.Labels, o.ManagedFields = "9000", nil, nil
		}},
	})
}

func TestTheCounts(t *testing.T) {
	exercise.Attempted(t)
	each(t, []change{
		{"CurrentHealthy goes from 5 to 4", func(s *scene, _ *pdb) { s.observed.CurrentHealthy = 4 }},
		{"DesiredHealthy goes from 4 to 6", func(s *scene, _ *pdb) { s.observed.DesiredHealthy = 6 }},
		{"ExpectedPods goes from 6 to 5", func(s *scene, _ *pdb) { s.observed.ExpectedPods = 5 }},
		{"DisruptionsAllowed goes from 1 to 2", func(s *scene, _ *pdb) { s.observed.DisruptionsAllowed = 2 }},
		{"CurrentHealthy goes from 5 to 0", func(s *scene, _ *pdb) { s.observed.CurrentHealthy = 0 }},
		{"DesiredHealthy goes from 4 to 0", func(s *scene, _ *pdb) { s.observed.DesiredHealthy = 0 }},
		{"ExpectedPods goes from 6 to 0", func(s *scene, _ *pdb) { s.observed.ExpectedPods = 0 }},
		{"DisruptionsAllowed goes from 1 to 0", func(s *scene, _ *pdb) { s.observed.DisruptionsAllowed = 0 }},
		{"CurrentHealthy goes from 5 to 2147483647", func(s *scene, _ *pdb) { s.observed.CurrentHealthy = 1<<31 - 1 }},
		{"DisruptionsAllowed goes from 1 to -1", func(s *scene, _ *pdb) { s.observed.DisruptionsAllowed = -1 }},
		{"all four go to 0", func(s *scene, _ *pdb) { s.observed = Observed{Healthy: true, Reason: "NoPods"} }},
		{"CurrentHealthy goes from 5 to 4, of an object that is being deleted", func(s *scene, o *pdb) {
			s.observed.CurrentHealthy, o.DeletionTimestamp = 4, new(since(20))
		}},
	})
}

func TestTheGeneration(t *testing.T) {
	exercise.Attempted(t)
	each(t, []change{
		{"generation 4 is read, the status is of generation 3", func(_ *scene, o *pdb) { o.Generation = 4 }},
		{"generation 3 is read, the status says 9", func(_ *scene, o *pdb) { o.Status.ObservedGeneration = 9 }},
		{"generation 3 is read, the status says nothing", func(_ *scene, o *pdb) { o.Status.ObservedGeneration = 0 }},
		{"generation 3 is read, the condition says 2", func(_ *scene, o *pdb) { healthy(o).ObservedGeneration = 2 }},
		{"generation 3 is read, the condition says 8", func(_ *scene, o *pdb) { healthy(o).ObservedGeneration = 8 }},
		{"generation 3 is read, the condition says nothing", func(_ *scene, o *pdb) {
			healthy(o).ObservedGeneration = 0
		}},
	})
}

func TestTheCondition(t *testing.T) {
	exercise.Attempted(t)
	was := func(status metav1.ConditionStatus, is bool) change {
		return change{fmt.Sprintf("Healthy was %q, and is %v", status, is), func(s *scene, o *pdb) {
			healthy(o).Status, s.observed.Healthy = status, is
		}}
	}
	each(t, []change{
		{"the reason changes", func(s *scene, _ *pdb) { s.observed.Reason = "Enough" }},
		{"the message changes", func(s *scene, _ *pdb) { s.observed.Message = "5 of 6" }},
		{"the reason becomes empty", func(s *scene, _ *pdb) { s.observed.Reason = "" }},
		{"the message gets white space and marks", func(s *scene, _ *pdb) { s.observed.Message = " 4 < 5 & \"ü\"\n" }},
		{"the message becomes empty", func(s *scene, _ *pdb) { s.observed.Message = "" }},
		was("True", false), was("False", true), was("Unknown", false), was("Unknown", true),
		{"Healthy was \"Unknown\", and is false, with the same reason", func(s *scene, o *pdb) {
			healthy(o).Status, s.observed.Healthy = "Unknown", false
		}},
		{"Healthy becomes false while the clock goes back", func(s *scene, _ *pdb) {
			s.observed.Healthy, s.now = false, moment(0)
		}},
		{"all of Healthy changes", func(s *scene, _ *pdb) {
			s.observed.Healthy, s.observed.Reason, s.observed.Message = false, "TooFew", ""
		}},
	})
}

func TestConditionsOfOthers(t *testing.T) {
	exercise.Attempted(t)
	list := func(told string, conditions ...metav1.Condition) change {
		return change{"the conditions are " + told, func(s *scene, o *pdb) {
			o.Status.Conditions, s.observed.Reason = conditions, "Enough"
		}}
	}
	mine, a, b := condition(Healthy, "True", "AllWell"), condition("A", "True", "Yes"), condition("B", "Unknown", "Who")
	a.ObservedGeneration, b.ObservedGeneration, b.Message = 1, 0, ""
	lower, longer := condition("healthy", "False", "Other"), condition("HealthyToo", "False", "Other")
	each(t, []change{
		list("none"), list("an empty list", []metav1.Condition{}...), list("Healthy", mine), list("A", a),
		list("B and A", b, a), list("Healthy, B and A", mine, b, a), list("B, Healthy and A", b, mine, a),
		list("B, A and Healthy", b, a, mine), list("healthy, HealthyToo and Healthy", lower, longer, mine),
		list("HealthyToo and healthy", longer, lower),
		{"no Healthy is there, and what is observed is false", func(s *scene, o *pdb) {
			o.Status.Conditions, s.observed.Healthy = []metav1.Condition{b, a}, false
		}},
	})
}

func TestConflict(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		s := settled()
		s.observed.Healthy, s.observed.Reason = false, "TooFew"
		other := condition("Balanced", "True", "Even")
		somebody := func(_ context.Context, what string) {
			if what == "observe" {
				s.server.ResourceVersion = "42"
				s.server.Status.Conditions = append(slices.Clone(s.server.Status.Conditions), other)
			}
		}
		s.during = somebody
		s.cache = s.cache.DeepCopy()
		took, err := s.report(t.Context())
		s.during = nil
		kept := slices.ContainsFunc(s.server.Status.Conditions, func(c metav1.Condition) bool { return c == other })
		const since = "somebody writes the condition Balanced between the read and the write: "
		expect := func(so bool, expected, happened, belief string) {
			exercise.Expect(t, so, exercise.Verdict{Expected: since + expected, Happened: happened, PointsTo: belief})
		}
		writes := s.did.writes
		retries := ""
		if len(writes) > 1 && writes[0].data == writes[1].data {
			retries = "the belief that a conflict passes if one tries again at once. The cache has still the old object"
		}
		expect(len(writes) == 1, "Patch is called once", "written was: "+told(writes, s.cache), retries)
		expect(kept, "the server refuses the patch, and Balanced stays", "Balanced is gone", "")
		nothing := ""
		if err == nil && returns(t, errBroken) {
			nothing = "the belief that a conflict is nothing, since somebody else has written. What they wrote is " +
				"not yours"
		}
		expect(apierrors.IsConflict(err), "the conflict is returned", fmt.Sprintf("returned was: %v", err), nothing)
		expect(took == 0, "Report does not wait", fmt.Sprintf("it has waited for %v", took), "")
		_, err = s.report(t.Context())
		expect(apierrors.IsConflict(err) && len(s.did.writes) == 2, "a second call is made while the cache lags "+
			"behind, and returns a conflict, too", fmt.Sprintf("returned was: %v. Patch was called %d times", err,
			len(s.did.writes)), "")
		s.told, s.cache, s.now = since+"a later call reads that", s.server.DeepCopy(), moment(31)
		check(t, s)
		s.told, s.cache, s.now = since+"after a later call that has read that", s.server.DeepCopy(), moment(32)
		check(t, s)
	})
}

// returns reports whether Report returns an error of the Writer.
func returns(t *testing.T, err error) bool {
	s := settled()
	s.observed.CurrentHealthy, s.fails = 4, map[string]error{"write": err}
	_, got := s.report(t.Context())
	return errors.Is(got, err)
}

// refusals are errors of a server, and none of them says that there is no such object.
func refusals() []error {
	group := schema.GroupKind{Group: "policy", Kind: "PodDisruptionBudget"}
	//lint:ignore SA1019 a server may answer so, whatever it should do
	gone := apierrors.NewGone("gone")
	return []error{errBroken, apierrors.NewInvalid(group, "front", nil), apierrors.NewTooManyRequests("later", 3),
		apierrors.NewForbidden(budgets, "front", errBroken), apierrors.NewInternalError(errBroken),
		apierrors.NewServerTimeout(budgets, "patch", 2), context.Canceled, context.DeadlineExceeded,
		apierrors.NewAlreadyExists(budgets, "front"), gone,
		apierrors.NewResourceExpired("expired"), apierrors.NewUnauthorized("who"), io.ErrUnexpectedEOF,
		apierrors.NewServiceUnavailable("away"), apierrors.NewTimeoutError("slow", 1), apierrors.NewBadRequest("what"),
		apierrors.NewMethodNotSupported(budgets, "patch"), apierrors.NewRequestEntityTooLargeError("long"),
		apierrors.NewConflict(budgets, "front", errBroken)}
}

// failing calls Report where one of the three fails, and expects so many observations and calls of Patch.
func failing(t *testing.T, what string, err error, want error, observed, writes int) {
	t.Helper()
	if t.Failed() {
		return
	}
	s := settled()
	s.observed.Healthy, s.observed.Reason = false, "TooFew"
	s.fails = map[string]error{what: err}
	before := s.cache.DeepCopy()
	took, got := s.report(t.Context())
	expect := func(so bool, expected, happened string) {
		t.Helper()
		if !so && !t.Failed() {
			exercise.Report(t, exercise.Verdict{Expected: fmt.Sprintf("%s fails with %q: %s", what, err, expected),
				Happened: happened})
		}
	}
	expect(s.did.observed == observed, fmt.Sprintf("Observe is called %d times", observed),
		fmt.Sprintf("it was called %d times", s.did.observed))
	expect(len(s.did.writes) == writes, fmt.Sprintf("Patch is called %d times", writes),
		"written was: "+told(s.did.writes, before))
	happened := fmt.Sprintf("returned was: %v", got)
	if want == nil {
		expect(got == nil, "no error is returned", happened)
	} else {
		expect(errors.Is(got, want), "the error is returned, so that errors.Is finds it", happened)
	}
	expect(s.did.read == 1, "the object is read once", fmt.Sprintf("it was read %d times", s.did.read))
	expect(took == 0, "Report does not wait", fmt.Sprintf("it has waited for %v", took))
	expect(text(before) == text(s.cache), "what the Reader has returned stays as it is", "it has changed")
}

func TestGone(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		gone := apierrors.NewNotFound(budgets, "front")
		for _, err := range []error{gone, fmt.Errorf("asking for front: %w", gone)} {
			failing(t, "read", err, nil, 0, 0)
			failing(t, "write", err, nil, 1, 1)
			failing(t, "observe", err, gone, 1, 0)
		}
	})
}

func TestErrors(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		for _, err := range refusals() {
			for _, wrapped := range []error{err, fmt.Errorf("asking for front: %w", err)} {
				failing(t, "read", wrapped, err, 0, 0)
				failing(t, "observe", wrapped, err, 1, 0)
				failing(t, "write", wrapped, err, 1, 1)
			}
		}
	})
}

type mark struct{}

func TestTheContext(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		for _, ending := range []string{"", "read", "observe", "write"} {
			ctx, cancel := context.WithCancel(context.WithValue(t.Context(), mark{}, "ours"))
			s := settled()
			s.observed.CurrentHealthy = 4
			s.during = func(given context.Context, what string) {
				_, limited := given.Deadline()
				exercise.Expect(t, given.Err() == nil && given.Value(mark{}) == "ours" && !limited, exercise.Verdict{
					Expected: what + " is given ctx, or one that is made from it",
					Happened: fmt.Sprintf("its error is %v, it has the value of ctx: %v, it has a deadline: %v",
						given.Err(), given.Value(mark{}) == "ours", limited)})
				if what == ending {
					cancel()
					exercise.Expect(t, given.Err() != nil, exercise.Verdict{
						Expected: "ctx ends while there is a call of " + what + ": the ctx that it was given ends",
						Happened: "it has not ended"})
					s.fails = map[string]error{what: given.Err()}
				}
			}
			_, err := s.report(ctx)
			cancel()
			exercise.Expect(t, (err == nil) == (ending == ""), exercise.Verdict{
				Expected: "an error is returned if ctx ends during a call of " + ending,
				Happened: fmt.Sprintf("returned was: %v", err)})
		}
	})
}

func TestSeveralAtOnce(t *testing.T) {
	exercise.Attempted(t)
	const n = 4
	for _, meeting := range []string{"read", "observe", "write"} {
		var done sync.WaitGroup
		var arrived atomic.Int32
		all, late := make(chan struct{}), make(chan struct{})
		giveUp := sync.OnceFunc(func() { close(late) })
		s := settled()
		s.observed.CurrentHealthy = 4
		before := text(s.cache)
		s.during = func(_ context.Context, what string) {
			if what != meeting {
				return
			}
			if arrived.Add(1) == n {
				close(all)
			}
			select {
			case <-all:
			case <-late:
			case <-time.After(5 * time.Second): // a call that waits for another waits for ever
				giveUp()
			}
		}
		errs := make([]error, n)
		for i := range n {
			done.Go(func() { errs[i] = s.reporter().Report(t.Context(), front) })
		}
		done.Wait()
		missed := false
		select {
		case <-late:
			missed = true
		default:
		}
		exercise.Expect(t, !missed, exercise.Verdict{
			Expected: fmt.Sprintf("%d calls at once: each comes to %s while the others are there", n, meeting),
			Happened: "one waited there for the others, and they did not come"})
		good, conflicts := 0, 0
		for _, err := range errs {
			switch {
			case err == nil:
				good++
			case apierrors.IsConflict(err):
				conflicts++
			}
		}
		exercise.Expect(t, good == 1 && conflicts == n-1 && len(s.did.writes) == n, exercise.Verdict{
			Expected: fmt.Sprintf("%d calls at once read the same object: each writes, one gets through, and the "+
				"others return a conflict", n),
			Happened: fmt.Sprintf("%d writes; returned were %v", len(s.did.writes), errs)})
		exercise.Expect(t, before == text(s.cache), exercise.Verdict{
			Expected: "what the Reader has returned stays as it is", Happened: "it has changed"})
	}
}

func TestAnyStatus(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(12, 1))
		for i := range 500 {
			check(t, anyScene(random, i))
		}
	})
}

// anyScene has several things differ, or one, or none.
func anyScene(random *rand.Rand, n int) *scene {
	s := settled()
	o := s.cache
	s.now = moment(30 + n)
	if i := random.IntN(len(o.Status.Conditions) + 1); i < len(o.Status.Conditions) {
		o.Status.Conditions = slices.Delete(o.Status.Conditions, i, i+1)
	}
	random.Shuffle(len(o.Status.Conditions), func(i, j int) {
		o.Status.Conditions[i], o.Status.Conditions[j] = o.Status.Conditions[j], o.Status.Conditions[i]
	})
	c, small := healthy(o), func() int32 { return random.Int32N(4) - 1 }
	changes := []func(){
		func() { s.observed.CurrentHealthy = small() }, func() { s.observed.DesiredHealthy = small() },
		func() { s.observed.ExpectedPods = small() }, func() { s.observed.DisruptionsAllowed = small() },
		func() { s.observed.Reason = []string{"A", "B"}[random.IntN(2)] },
		func() { s.observed.Message = []string{"", "b"}[random.IntN(2)] },
		func() { s.observed.Healthy = !s.observed.Healthy },
		func() { o.Generation = 1 + random.Int64N(5) }, func() { c.ObservedGeneration = random.Int64N(5) },
		func() { o.Status.ObservedGeneration = random.Int64N(5) },
		func() { c.Status = []metav1.ConditionStatus{"True", "False", "Unknown"}[random.IntN(3)] },
		func() { c.Reason, c.Message = "A", "" }, func() { o.Status.DisruptedPods = nil },
		func() { o.Status.CurrentHealthy, o.Status.ExpectedPods = small(), small() },
		func() { o.DeletionTimestamp = new(since(random.IntN(20))) }, func() { o.ResourceVersion = fmt.Sprint(50 + n) },
		func() { o.Labels, o.Annotations, o.Spec.Selector = nil, nil, nil },
	}
	for range random.IntN(5) {
		changes[random.IntN(len(changes))]()
	}
	was := "there was no Healthy"
	if c := healthy(o); c.Type != "" {
		was = fmt.Sprintf("Healthy was %s, %s, of generation %d", c.Status, c.Reason, c.ObservedGeneration)
	}
	s.told = fmt.Sprintf("generation %d is read; %s; observed is %+v", o.Generation, was, s.observed)
	s.holds(o)
	return s
}
