package grader

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// judge reads what came of the tests. Nothing counts as passed but a pass that was reported for every graded test, as
// often as it was to run, in a process that then ended well and said nothing more.
func (v variant) judge(r record, tests []string, count int, limits Limits) (*Failure, []TestResult) {
	var results []TestResult
	var first, cutShort *Failure
	whole := v.processFailure(r, limits)
	race := v.raceFailure(r.output, r.exit)
	for _, name := range tests {
		t := collect(r, name, count)
		res := TestResult{Name: name, Outcome: t.outcome(count), Seconds: t.seconds, FailedParts: t.parts}
		if res.Outcome != "pass" {
			res.Failure = v.testFailure(t, r, res.Outcome, whole)
			res.Failure.Test = name
			switch {
			case t.cutShort():
				cutShort = cmp.Or(cutShort, res.Failure)
			case first == nil:
				first = res.Failure
				if race != nil && first.Reason != ReasonRace {
					first.Also = strings.TrimPrefix(race.Happened, "there was ")
				}
			}
		}
		results = append(results, res)
	}
	first = cmp.Or(first, cutShort)
	switch {
	case first != nil && !anySaid(results) && whole != nil:
		first = whole // not even the first test began
	case first != nil:
	case race != nil:
		first = race
	case whole != nil:
		first = whole
	case r.exit != 0:
		first = &Failure{Reason: ReasonExit, Expected: "the tests end with exit status 0",
			Happened: fmt.Sprintf("every test passed, and then the process ended with exit status %d", r.exit)}
	}
	v.place(first)
	for i := range results {
		v.place(results[i].Failure)
		results[i].shorten()
	}
	return first, results
}

// anySaid reports whether any test said anything.
func anySaid(results []TestResult) bool {
	for _, r := range results {
		if r.Outcome != "missing" {
			return true
		}
	}
	return false
}

// testRun is what the events say about one test and its subtests.
type testRun struct {
	began, passed, failed, skipped int
	done                           int // times that it came to its end: the test itself says so
	seconds                        float64
	verdict                        *exercise.Verdict
	output                         string
	parts                          []string // subtests that failed
}

func collect(r record, name string, count int) testRun {
	var t testRun
	var out strings.Builder
	proofs := map[string]bool{} // of its ends, not seen yet
	for n := range count {
		proofs[exercise.Proof(r.secret, name, n+1)] = true
	}
	for _, e := range r.events {
		if e.Test != name && !strings.HasPrefix(e.Test, name+"/") {
			continue
		}
		whole := e.Test == name
		if !whole && e.Action == "fail" {
			t.parts = append(t.parts, e.Test)
		}
		switch {
		case e.Action == "output":
			out.WriteString(e.Output)
		case e.Action == "attr" && e.Key == exercise.Attribute && t.verdict == nil:
			var verdict exercise.Verdict
			if json.Unmarshal([]byte(e.Value), &verdict) == nil {
				t.verdict = &verdict
			}
		case whole && e.Action == "attr" && e.Key == exercise.DoneAttribute && proofs[e.Value]:
			delete(proofs, e.Value)
			t.done++
		case whole && e.Action == "run":
			t.began++
		case whole && e.Action == "pass":
			t.passed++
			t.seconds += e.Elapsed
		case whole && e.Action == "fail":
			t.failed++
			t.seconds += e.Elapsed
		case whole && e.Action == "skip":
			t.skipped++
		}
	}
	t.output = out.String()
	return t
}

func (t testRun) outcome(count int) string {
	switch {
	case t.failed > 0 || t.verdict != nil:
		return "fail"
	case t.passed == count && t.done == count && t.skipped == 0:
		return "pass"
	case t.skipped > 0:
		return "skip"
	case t.began > 0:
		return "fail" // it began, and did not end
	}
	return "missing"
}

// cutShort reports whether nothing was wrong with the test but that it did not run, or not often enough: then another
// test ended the process.
func (t testRun) cutShort() bool {
	return t.failed == 0 && t.skipped == 0 && t.verdict == nil && t.began == t.passed && t.passed == t.done
}

func (v variant) testFailure(t testRun, r record, outcome string, whole *Failure) *Failure {
	switch {
	case t.verdict != nil:
		return &Failure{Reason: reasonOf(t.verdict.Kind), Expected: t.verdict.Expected,
			Happened: t.verdict.Happened, PointsTo: t.verdict.PointsTo}
	case outcome == "skip":
		return &Failure{Reason: ReasonMissing, Expected: "every graded test runs", Happened: "this one was skipped"}
	case outcome == "missing":
		f := &Failure{Reason: ReasonMissing, Expected: "every graded test reports that it passed",
			Happened: "this one did not run"}
		if whole != nil {
			f.Also = whole.Happened
		}
		return f
	case whole != nil && (t.failed == 0 || whole.Reason == ReasonPanic || whole.Reason == ReasonExit):
		f := *whole
		return &f
	}
	if f := v.raceFailure(t.output, r.exit); f != nil {
		return f
	}
	if t.failed == 0 && t.passed > t.done {
		return &Failure{Reason: ReasonMissing, Expected: "every graded test comes to its end",
			Happened: "something printed that this one passed, and it did not come to its end"}
	}
	return textFailure(t.output)
}

func reasonOf(k exercise.Kind) Reason {
	switch k {
	case exercise.KindHang:
		return ReasonHang
	case exercise.KindLeak:
		return ReasonLeak
	case exercise.KindMemory:
		return ReasonMemory
	}
	return ReasonExpectation
}

// textFailure makes a message of what a test printed, for a failure without a verdict.
func textFailure(output string) *Failure {
	f := &Failure{Reason: ReasonExpectation}
	var rest []string
	into := (*string)(nil)
	for line := range strings.Lines(output) {
		text := strings.TrimSpace(line)
		switch {
		case text == "" || strings.HasPrefix(text, "=== ") || strings.HasPrefix(text, "--- "):
			into = nil
		case strings.HasPrefix(text, "Expected: "):
			f.Expected, into = text[len("Expected: "):], &f.Expected
		case strings.HasPrefix(text, "Happened: "):
			f.Happened, into = text[len("Happened: "):], &f.Happened
		case strings.HasPrefix(text, "Points to: "):
			f.PointsTo, into = text[len("Points to: "):], &f.PointsTo
		case into != nil:
			*into += " " + text
		default:
			rest = append(rest, text)
		}
	}
	if f.Happened == "" {
		f.Happened = cut(oneLine(strings.Join(rest, " ")), 600)
	}
	if f.Happened == "" {
		f.Happened = "the test failed and said nothing"
	}
	return f
}
