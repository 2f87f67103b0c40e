package grader_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// words is an exercise more: one with given words, and with a package that holds the answer.
const words = `
-- chapters/98-fixture/exercises/3-words/exercise_test.go --
package words_test

import (
	"errors"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/98-fixture/exercises/3-words"
)

func TestWords(t *testing.T) {
	exercise.Attempted(t)
	exercise.Expect(t, First("") == Empty, exercise.Verdict{Happened: "no text is not Empty"})
	exercise.Expect(t, First("x") == Full, exercise.Verdict{Happened: "x is not Full"})
	exercise.Expect(t, errors.Is(Second(""), ErrEmpty), exercise.Verdict{Happened: "no text is no ErrEmpty"})
	exercise.Expect(t, errors.Is(Second("x"), ErrFull), exercise.Verdict{Happened: "x is no ErrFull"})
}
-- chapters/98-fixture/exercises/3-words/HINTS.md --
# Hints: 98.3 Words ★★★
-- solutions/98-fixture/3-words/exercise.go --
// Package words is an exercise.
package words

import (
	"errors"

	"golang.org/x/tools/txtar"
)

//solution:forbidden golang.org/x/tools/txtar.Parse

// Archive is given.
type Archive = txtar.Archive

// Kind says what a text is.
type Kind string

// The kinds.
const (
	Empty Kind = "empty"
	Full  Kind = "full"
)

// The steps.
const (
	One = iota + 1
	Two
)

// ErrEmpty and ErrFull are given.
var (
	ErrEmpty = errors.New("empty")
	ErrFull  = errors.New("full")
)

// First says what a text is.
func First(text string) Kind {
	//solution:begin
	//stub: return ""
	if text == "" {
		return Empty
	}
	return Full
	//solution:end
}

// Second says it as an error.
func Second(text string) error {
	//solution:begin
	//stub: return nil
	if text == "" {
		return ErrEmpty
	}
	return ErrFull
	//solution:end
}
`

const (
	wordsHead = "package words\n\nimport (\n\t\"errors\"\n\n\t\"golang.org/x/tools/txtar\"\n)\n\n" +
		"type Archive = txtar.Archive\n\ntype Kind string\n\n"
	wordsKinds = "const (\n\tEmpty Kind = \"empty\"\n\tFull  Kind = \"full\"\n)\n\nconst (\n\tOne = iota + 1\n\tTwo\n" +
		")\n\n"
	wordsErrs  = "var (\n\tErrEmpty = errors.New(\"empty\")\n\tErrFull  = errors.New(\"full\")\n)\n\n"
	wordsWrong = "func First(string) Kind { return Empty }\n\nfunc Second(string) error { return ErrEmpty }\n"
	wordsRight = "func First(text string) Kind {\n\tif text == \"\" {\n\t\treturn Empty\n\t}\n\treturn Full\n}\n\n" +
		"func Second(text string) error {\n\tif text == \"\" {\n\t\treturn ErrEmpty\n\t}\n\treturn ErrFull\n}\n"
	sumWrong = "func Sum([]int) int { return 6 }\n" // TestNone fails with it
	sumRight = "func Sum(numbers []int) (s int) {\n\tfor _, n := range numbers {\n\t\ts += n\n\t}\n\treturn\n}\n"
)

// forgers want to pass without solving the exercise, or do by accident what those do.
var forgers = slices.Concat(importers, directors, rewriters, pretenders)

// TestForgers: nobody passes who has not solved the exercise, and nobody fails for what only looks like forgery.
func TestForgers(t *testing.T) {
	t.Parallel()
	grade(t, forgers, gradertest.New, func(t *testing.T, c grader.Course, p person) grader.Result {
		addWords(t, c)
		return gradeForger(t, c, p)
	})
}

// TestForgersOfStages: nor does anybody get a stage that way. What a forger's code does right is a stage all the same.
func TestForgersOfStages(t *testing.T) {
	t.Parallel()
	all := slices.Clone(forgers)
	for i := range all {
		p := &all[i]
		p.source = strings.ReplaceAll(p.source, "exercise_test.go", "stage1_test.go")
		switch reached := p.reason == grader.ReasonExpectation || p.reason == grader.ReasonMissing; {
		case p.status == grader.Passed && p.in == "98.3":
			p.points = 2
		case p.status == grader.Passed:
			p.points = 3
		case reached && p.in == "": // its Sum of three numbers is 6
			p.status, p.points = grader.InProgress, 1
		}
	}
	verdict := func(t *testing.T, c grader.Course, p person) grader.Result {
		r := gradeForger(t, c, p)
		if r.Points != p.points {
			t.Errorf("%d points, want %d", r.Points, p.points)
		}
		return r
	}
	grade(t, append(all, climbers...), gradertest.NewStaged, verdict)
}

func gradeForger(t *testing.T, c grader.Course, p person) grader.Result {
	t.Helper()
	e, dir := gradertest.Exercises(t, c, p.in)[0], t.TempDir()
	gradertest.Write(t, filepath.Join(dir, p.in+".go"), p.source)
	if p.act != nil {
		p.act(t, e)
	}
	return grader.GradeOne(t.Context(), e, grader.Options{From: dir, Race: p.race, Limits: p.limits})
}

func addWords(t *testing.T, c grader.Course) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(words)).Files {
		gradertest.Write(t, filepath.Join(c.Dir, f.Name), string(f.Data))
	}
	if _, err := gradertest.Exercises(t, c, "98.3")[0].WriteStub(); err != nil {
		t.Fatal(err)
	}
}
