package grader_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// outcomes are those of the stages in a row: "✓▸·".
func outcomes(r grader.Result) string {
	var out strings.Builder
	for _, s := range r.Stages {
		out.WriteString(map[grader.Outcome]string{grader.StagePassed: "✓", grader.StageAtHand: "▸",
			grader.StageNotReached: "·"}[s.Outcome])
	}
	return out.String()
}

// Answers to 98.1, whose stages ask for the sum of three numbers, of none, and of a thousand.
const (
	oneStage   = "func Sum(numbers []int) int { return numbers[0] + numbers[1] + numbers[2] }\n"
	noThousand = `func Sum(numbers []int) int {
	if len(numbers) > 100 {
		return 7
	}
	return len(numbers) * 2
}
`
	emptyIsOne = `func Sum(numbers []int) int {
	if numbers != nil && len(numbers) == 0 {
		return 1
	}
	return len(numbers) * 2
}
`
	hangsOnNone = `func Sum(numbers []int) int {
	for numbers == nil {
	}
	return 6
}
`
	leaks = `func Sum(numbers []int) int {
	if numbers == nil {
		go func() { select {} }()
	}
	return len(numbers) * 2
}
`
)

// TestStages: a stage is passed with all of its tests and those below it, and the lowest one that is not is at hand.
func TestStages(t *testing.T) {
	t.Parallel()
	var asUsual grader.Limits
	for _, c := range []struct {
		name, source string
		limits       grader.Limits
		status       grader.Status
		outcomes     string
		test         string
		reason       grader.Reason
		says         string
	}{
		{"nothing works", "func Sum([]int) int { return 0 }\n", asUsual, grader.Failed, "▸··", "TestSum",
			grader.ReasonExpectation, "it was 0"},
		{"panics in the second", oneStage, asUsual, grader.InProgress, "✓▸·", "TestNone", grader.ReasonPanic,
			"index out of range [0] with length 0, at exercise.go:3 (in Sum)"},
		{"hangs in the second", hangsOnNone, short, grader.InProgress, "✓▸·", "TestNone", grader.ReasonHang,
			"within 1s"},
		{"leaks in the second", leaks, asUsual, grader.InProgress, "✓▸·", "TestNone", grader.ReasonLeak,
			"1 goroutine"},
		{"believes something of the second", emptyIsOne, asUsual, grader.InProgress, "✓▸·", "TestEmpty",
			grader.ReasonExpectation, "the belief that an empty slice is no slice"},
		{"all but the hard one", noThousand, asUsual, grader.Passed, "✓✓▸", "TestMany", grader.ReasonExpectation,
			"it was 7"},
		{"everything", sumRight, asUsual, grader.Passed, "✓✓✓", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := gradertest.Exercises(t, gradertest.NewStaged(t), "98.1")[0]
			gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"), sumHead+c.source)
			r := grader.GradeOne(t.Context(), e, grader.Options{Limits: c.limits})
			if r.Status != c.status || outcomes(r) != c.outcomes || r.Possible != 3 ||
				r.Points != strings.Count(c.outcomes, "✓") {
				t.Fatalf("%s, %s, %d of %d points: %+v", r.Status, outcomes(r), r.Points, r.Possible, r.Failure)
			}
			if r.Whole() != (c.test == "") {
				t.Errorf("whole: %v", r.Whole())
			}
			if c.test == "" {
				if r.Failure != nil {
					t.Errorf("passed, and failed: %+v", r.Failure)
				}
				return
			}
			if r.Failure.Test != c.test || r.Failure.Reason != c.reason || !strings.Contains(r.Failure.Text(), c.says) {
				t.Errorf("%s, %s: %s", r.Failure.Test, r.Failure.Reason, r.Failure.Text())
			}
			after := slices.IndexFunc(r.Tests, func(t grader.TestResult) bool { return t.Name == c.test }) + 1
			for _, later := range r.Tests[after:] {
				if later.Outcome != "not run" || later.Failure != nil {
					t.Errorf("after the test that failed: %+v", later)
				}
			}
		})
	}
}

// TestStagesOfWhatCannotRun: a file that does not compile is at no stage, and a function of a later stage that somebody
// took out is to be put back.
func TestStagesOfWhatCannotRun(t *testing.T) {
	t.Parallel()
	c := gradertest.NewStaged(t)
	grade := func(id, source string) grader.Result {
		e := gradertest.Exercises(t, c, id)[0]
		gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"), source)
		return grader.GradeOne(t.Context(), e, grader.Options{})
	}
	r := grade("98.1", sumHead+"func Sum(\n")
	if r.Status != grader.Failed || outcomes(r) != "▸··" || r.Points != 0 {
		t.Errorf("%+v", r)
	}
	first, second, _ := strings.Cut(wordsRight, "\n\n")
	r = grade("98.3", wordsHead+wordsKinds+wordsErrs+first+"\n")
	if r.Failure == nil || r.Failure.Reason != grader.ReasonCompile ||
		!strings.Contains(r.Failure.Happened, "has no func Second: restore it from the stub") {
		t.Errorf("%+v", r.Failure)
	}
	// A function that is the stub's is a fact, and no belief.
	r = grade("98.3", wordsHead+wordsKinds+wordsErrs+first+"\n\nfunc Second(text string) error { return nil }\n")
	s, _ := r.AtHand()
	if r.Status != grader.InProgress || fmt.Sprint(s.Unwritten) != "[Second]" || r.Failure.PointsTo != "" {
		t.Errorf("%s, %+v, %+v", r.Status, s, r.Failure)
	}
	r = grade("98.3", wordsHead+wordsKinds+wordsErrs+first+"\n\nfunc Second(text string) error { return ErrEmpty }\n")
	if s, _ := r.AtHand(); len(s.Unwritten) > 0 || r.Failure.PointsTo == "" {
		t.Errorf("%+v, %+v", s, r.Failure)
	}
	if second == "" {
		t.Error("the right solution has one function")
	}
}

// TestStagesOfTampered: whoever edits a stage's file, or takes it away, has as many stages as before, and none passed.
func TestStagesOfTampered(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"stage1_test.go": "package sum\n",
		"stage3_test.go": "// Stage 7: x\n\npackage sum\n"} {
		e := gradertest.Exercises(t, gradertest.NewStaged(t), "98.1")[0]
		gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"), sumHead+sumRight)
		gradertest.Write(t, filepath.Join(e.Dir(), name), text)
		r := grader.GradeOne(t.Context(), e, grader.Options{})
		if r.Status != grader.Failed || r.Failure.Reason != grader.ReasonGiven || outcomes(r) != "▸··" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestStagesThatAreNone: what an author gets wrong about the files of stages is said, and grades nobody.
func TestStagesThatAreNone(t *testing.T) {
	t.Parallel()
	const test = "package sum\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n"
	for name, text := range map[string]string{
		"stage2_test.go":   "// Stage 3: no numbers\n\npackage sum\n",
		"stage5_test.go":   "// Stage 5: x\n\n" + test,
		"stage4_test.go":   "// Stage 4: behind the hard one\n\n" + test,
		"exercise_test.go": test,
	} {
		e := gradertest.Exercises(t, gradertest.NewStaged(t), "98.1")[0]
		gradertest.Write(t, filepath.Join(e.Dir(), name), text)
		if _, err := e.WriteStub(); err != nil {
			t.Fatal(err)
		}
		if stages, err := e.Stages(); err == nil {
			t.Errorf("%s: %+v", name, stages)
		}
	}
}
