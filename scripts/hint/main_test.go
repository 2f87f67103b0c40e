package main

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// TestLastWord: no solution is promised where a course withholds it.
func TestLastWord(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	if got := lastWord(e); got != "(the next call shows the solution)" {
		t.Errorf("with the solution: %s", got)
	}
	if err := e.Withhold(); err != nil {
		t.Fatal(err)
	}
	if got := lastWord(e); got != "(this was the last hint)" {
		t.Errorf("without it: %s", got)
	}
}
