package main

import (
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/hint"
)

// TestLastWord: no solution is promised where a course withholds it.
func TestLastWord(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	third := func() string {
		var out strings.Builder
		if err := give(&out, e, t.TempDir(), 0, 3, false); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if got := third(); !strings.HasSuffix(got, "(make hint EX=98.1 LEVEL=4 shows the solution)\n") {
		t.Errorf("with the solution: %s", got)
	}
	if err := e.Withhold(); err != nil {
		t.Fatal(err)
	}
	if got := third(); !strings.Contains(got, "(there is no further hint)") {
		t.Errorf("without it: %s", got)
	}
}

// TestStage: a hint of a stage names it.
func TestStage(t *testing.T) {
	e, state := gradertest.Exercises(t, gradertest.NewStaged(t), "98.1")[0], t.TempDir()
	for i, want := range []string{"98.1  Add numbers, stage 1 (three numbers): hint 1 of 2\n", "hint 2 of 2\n",
		"98.1  Add numbers, stage 1 (three numbers): the solution\n"} {
		var out strings.Builder
		if err := give(&out, e, state, 0, 0, false); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("call %d: %v\n%s", i+1, err, out.String())
		}
		if i == 0 && !strings.Contains(out.String(), "make hint EX=98.1 STAGE=1 LEVEL=1") {
			t.Errorf("%s", out.String())
		}
	}
}

// TestNextHint: the command after a hint gives the hint after it, also where a bare call is about another stage.
func TestNextHint(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.NewStaged(t), "98.1")[0]
	for _, c := range []struct {
		stage, level int
		want         string
	}{
		{0, 0, "(make hint EX=98.1 gives the next hint; this one again: make hint EX=98.1 STAGE=1 LEVEL=1)"},
		{0, 1, "(make hint EX=98.1 STAGE=1 LEVEL=2 gives the next hint)"},
		{1, 0, "(make hint EX=98.1 STAGE=1 LEVEL=2 gives the next hint)"},
		{3, 0, "(make hint EX=98.1 STAGE=3 LEVEL=2 shows the solution)"},
	} {
		var out strings.Builder
		err := give(&out, e, t.TempDir(), c.stage, c.level, false)
		if err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("stage %d, level %d: %v, and not %q\n%s", c.stage, c.level, err, c.want, out.String())
		}
	}
}

// TestAllPassed: nobody is given the hints of a stage that is passed, unless they are asked for.
func TestAllPassed(t *testing.T) {
	e, state := gradertest.Exercises(t, gradertest.NewStaged(t), "98.1")[0], t.TempDir()
	passed := grader.Result{Exercise: e.ID, Status: grader.Passed, Stages: make([]grader.StageResult, 3)}
	if err := hint.Note(passed, state); err != nil {
		t.Fatal(err)
	}
	hints := func(stage, level int) string {
		var out strings.Builder
		if err := give(&out, e, state, stage, level, false); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	const solution = "The book's solution, with its reasons: make hint EX=98.1 STAGE=3 LEVEL=2\n"
	if got := hints(0, 0); got != "98.1  Add numbers: all 3 stages are passed\n\n"+solution {
		t.Errorf("%s", got)
	}
	if got := hints(3, 2); !strings.Contains(got, "stage 3 (a thousand numbers): the solution\n") {
		t.Errorf("what is offered: %s", got)
	}
	if got := hints(2, 0); !strings.Contains(got, "hint 1 of 1") {
		t.Errorf("of a stage that is asked for: %s", got)
	}
	if err := e.Withhold(); err != nil {
		t.Fatal(err)
	}
	if got := hints(0, 0); got != "98.1  Add numbers: all 3 stages are passed\n" {
		t.Errorf("where it is withheld: %s", got)
	}
}

// TestUsage: who typed make is answered in its words.
func TestUsage(t *testing.T) {
	if got := usage(true); !strings.HasPrefix(got, "usage: make hint EX=NN.N ") || strings.Contains(got, "go run") {
		t.Errorf("by make: %s", got)
	}
	if got := usage(false); !strings.HasPrefix(got, "usage: go run ./scripts/hint ") || strings.Contains(got, "make") {
		t.Errorf("by go: %s", got)
	}
}
