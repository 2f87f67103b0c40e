package main

import (
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// TestLastWord: no solution is promised where a course withholds it, and the hint that is there says how to read it
// again.
func TestLastWord(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	third := func() string {
		var out strings.Builder
		if err := give(&out, e, t.TempDir(), 0, 3, false); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if got := third(); !strings.HasSuffix(got, "(the next call shows the solution; this one again: make hint EX=98.1 LEVEL=3)\n") {
		t.Errorf("with the solution: %s", got)
	}
	if err := e.Withhold(); err != nil {
		t.Fatal(err)
	}
	if got := third(); !strings.Contains(got, "(this was the last hint; ") {
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
