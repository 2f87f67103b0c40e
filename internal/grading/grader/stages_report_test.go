package grader_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// climbing is an exercise of four stages, at the given one.
func climbing(status grader.Status, at int) grader.Result {
	r := grader.Result{Exercise: "02.1", Chapter: "02-list-then-watch", Title: "Resume a watch", Stars: 1,
		Status: status, File: "c/exercise.go", Points: at - 1, Possible: 4, Seconds: 1.5,
		Tests: []grader.TestResult{{Name: "TestResume"}}}
	for i, title := range []string{"list, then watch on from the list", "each event moves the place",
		"what a 410 takes away", "a streaming list"} {
		s := grader.StageResult{Stage: i + 1, Title: title, Hard: i == 3, Outcome: grader.StageNotReached}
		switch {
		case i+1 < at:
			s.Outcome, s.Points = grader.StagePassed, 1
		case i+1 == at:
			s.Outcome = grader.StageAtHand
		}
		r.Stages = append(r.Stages, s)
	}
	if status == grader.NotAttempted {
		r.Tests = nil
	}
	if at <= 4 && status != grader.NotAttempted {
		r.Failure = &grader.Failure{Reason: grader.ReasonExpectation, Test: "TestResume",
			Expected: "after a WATCH from 25 that was refused with 410, the next request is a LIST",
			Happened: "it was a WATCH from 25", PointsTo: "the belief that the place is good for ever."}
	}
	return r
}

const climb = `02.1  Resume a watch                                      ★    stage 3 of 4
      ✓ 1  list, then watch on from the list
      ✓ 2  each event moves the place
      ▸ 3  what a 410 takes away
           test       TestResume
           expected   after a WATCH from 25 that was refused with 410, the next request is a LIST
           happened   it was a WATCH from 25
           points to  the belief that the place is good for ever.
      · 4  a streaming list (hard)

0 of 1 passed, 1 in progress: 2 of 4 points
a hint: make hint EX=02.1   (or go run ./scripts/hint 02.1)
`

const untouched = `02.1  Resume a watch                                      ★    not attempted  0/4

0 of 1 passed, 1 not attempted: 0 of 4 points
next: 02.1, stage 1: list, then watch on from the list
      c/exercise.go
a hint: make hint EX=02.1   (or go run ./scripts/hint 02.1)
`

// TestStagesText: what a learner sees of an exercise that climbs.
func TestStagesText(t *testing.T) {
	t.Parallel()
	text := func(r grader.Result) string {
		var out bytes.Buffer
		grader.Print(&out, r, false)
		grader.PrintSummary(&out, []grader.Result{r})
		return out.String()
	}
	if got := text(climbing(grader.InProgress, 3)); got != climb {
		t.Errorf("got\n%swant\n%s", got, climb)
	}
	if got := text(climbing(grader.NotAttempted, 1)); got != untouched {
		t.Errorf("got\n%swant\n%s", got, untouched)
	}
	if got := text(climbing(grader.Passed, 4)); !strings.Contains(got, "passed         3/4\n") ||
		!strings.Contains(got, "▸ 4  a streaming list (hard)\n           test       TestResume") {
		t.Errorf("passed, without the hard one:\n%s", got)
	}
	if got := text(climbing(grader.Passed, 5)); !strings.Contains(got, "passed         4/4\n") ||
		strings.Contains(got, "hint") || !strings.HasSuffix(got, "next: go run ./chapters/02-list-then-watch/mine runs it on "+
		"the API server\n") {
		t.Errorf("all of it:\n%s", got)
	}
	begun := climbing(grader.Failed, 1)
	begun.Stages[0].Unwritten = []string{"Next"}
	if got := text(begun); !strings.Contains(got, "▸ 1  list, then watch on from the list\n"+
		"           open       c/exercise.go\n           the stub's Next\n") {
		t.Errorf("begun:\n%s", got)
	}
	broken := climbing(grader.Failed, 1)
	broken.Tests = nil // it did not compile
	if got := text(broken); !strings.Contains(got, "failed         0/4\n      open       c/exercise.go\n") ||
		strings.Contains(got, "▸") {
		t.Errorf("does not compile:\n%s", got)
	}
}

// TestStagesJUnit: a case for each stage, of which those behind the one at hand are skipped.
func TestStagesJUnit(t *testing.T) {
	t.Parallel()
	xml := func(r grader.Result) string {
		var out bytes.Buffer
		if err := grader.NewReport([]grader.Result{r}, "", true, time.Unix(1e9, 0)).WriteJUnit(&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	got := xml(climbing(grader.InProgress, 2))
	for _, want := range []string{`tests="4" failures="1" errors="0" skipped="2"`,
		`name="02.1 Resume a watch, stage 2: each event moves the place" classname="02-list-then-watch" time="0.000"`,
		`<failure message="it was a WATCH from 25" type="expectation">`, `<skipped message="stage 2 comes first">`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if got := xml(climbing(grader.NotAttempted, 1)); strings.Count(got, `<skipped message="not attempted">`) != 4 {
		t.Errorf("not attempted:\n%s", got)
	}
	if got := xml(climbing(grader.Passed, 4)); !strings.Contains(got, `failures="0" errors="0" skipped="1"`) ||
		!strings.Contains(got, "passed without it: it was a WATCH") {
		t.Errorf("without the hard one:\n%s", got)
	}
}

// TestStagesGradescope: a test for each stage, worth a point.
func TestStagesGradescope(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	results := []grader.Result{climbing(grader.InProgress, 3), climbing(grader.NotAttempted, 1)}
	if err := grader.NewReport(results, "", true, time.Unix(1e9, 0)).WriteGradescope(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Output string
		Tests  []struct {
			Score, Max_Score             int
			Status, Name, Number, Output string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.Tests) != 8 {
		t.Fatalf("%v: %s", err, out.String())
	}
	if !strings.HasPrefix(got.Output, "0 of 2 passed, 1 in progress, 1 not attempted: 2 of 8 points") {
		t.Error(got.Output)
	}
	for i, want := range []string{"1 of 1 passed 02.1.1 ", "1 of 1 passed 02.1.2 ",
		"0 of 1 failed 02.1.3 Test: TestResume",
		"0 of 1 failed 02.1.4 Stage 3 comes first.", "0 of 1 failed 02.1.1 Not attempted."} {
		g := got.Tests[i]
		said := fmt.Sprintf("%d of %d %s %s %s", g.Score, g.Max_Score, g.Status, g.Number, g.Output)
		if !strings.HasPrefix(said, want) {
			t.Errorf("%d: %s, want %s", i, said, want)
		}
	}
}
