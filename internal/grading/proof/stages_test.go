package proof_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof"
)

func staged(t *testing.T, change func(e grader.Exercise)) grader.Exercise {
	t.Helper()
	e := gradertest.Exercises(t, gradertest.NewStaged(t), "98.1")[0]
	change(e)
	return e
}

// TestStages: what an author gets wrong about stages is found without running anything.
func TestStages(t *testing.T) {
	t.Parallel()
	if got := proof.Static(staged(t, func(grader.Exercise) {})); len(got) > 0 {
		t.Fatalf("the fixture itself: %v", got)
	}
	for want, change := range map[string]func(e grader.Exercise){
		`the stub says "Stage 2: no numbers", and stage2_test.go "Stage 2: none"`: func(e grader.Exercise) {
			replace(t, e.Dir()+"/stage2_test.go", "Stage 2: no numbers", "Stage 2: none")
		},
		`no comment of the stub has the heading "Stage 3 (hard): a thousand numbers"`: func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/exercise.go", "Stage 3 (hard)", "Step 3")
		},
		"TestNone opens stage 2, and names a belief": func(e grader.Exercise) {
			replace(t, e.Dir()+"/stage2_test.go", "Attempted(t)", `Attempted(t, exercise.HangMeans("x"))`)
		},
		"does not say that docs/exercises.md": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/exercise.go", "docs/exercises.md", "docs/all.md")
		},
		"there is no partial/stage2.go": func(e grader.Exercise) { os.Remove(e.SolutionDir() + "/partial/stage2.go") },
		"partial/stage1.go: above its package clause stands not //go:build partial alone": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/partial/stage1.go", "build partial", "build wrong")
		},
		`wrong/few breaks "An empty slice has none.", which does not stand under stage 3`: func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/few.go", "There may be a thousand.", "An empty slice has none.")
		},
		`wrong/also/never-none breaks "The sum of none is 0.", which does not stand under stage 1`: func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/also/never-none.go", "Stage: 2", "Stage: 1")
		},
		"wrong/also/never-none: its comment at the very top of the file lacks Stage:": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/also/never-none.go", "Stage: 2", "Stages: 2")
		},
		"wrong/also/never-none: what lies in wrong/also names its stage alone": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/also/never-none.go", "Stage: 2", "Stage: 2\n// Caught by: TestNone")
		},
		"wrong/few: its comment at the very top of the file has Stage:": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/few.go", "// Message:", "// Stage: 3\n// Message:")
		},
		`has no section "### Solution"`: func(e grader.Exercise) {
			replace(t, e.Dir()+"/HINTS.md", "### Solution", "### The solution")
		},
		`has no section "## Stage 3"`: func(e grader.Exercise) {
			replace(t, e.Dir()+"/HINTS.md", "## Stage 3", "## Stage three")
		},
		"stray file: solutions/98-fixture/1-sum/partial/all.go": func(e grader.Exercise) {
			gradertest.Write(t, e.SolutionDir()+"/partial/all.go", "//go:build partial\n\npackage sum\n")
		},
	} {
		if got := strings.Join(proof.Static(staged(t, change)), "\n"); !strings.Contains(got, want) {
			t.Errorf("%q is not in: %s", want, got)
		}
	}
}

// TestPromises: a wrong solution may break what holds for every exercise, in whatever stage.
func TestPromises(t *testing.T) {
	t.Parallel()
	e := staged(t, func(e grader.Exercise) {
		page := filepath.Join(e.CourseDir(), proof.Promises)
		gradertest.Write(t, page, "# Exercises\n\n- Arguments are\n  not changed.\n")
		replace(t, e.SolutionDir()+"/wrong/few.go", "There may be a thousand.", "Arguments are not changed.")
	})
	if got := proof.Static(e); len(got) > 0 {
		t.Error(got)
	}
}

// TestLimits: an assignment that grows, and what stands on it, is told.
func TestLimits(t *testing.T) {
	t.Parallel()
	bullets := strings.Repeat("//   - It is the sum of a number more, which makes one word after the other until "+
		"there are many.\n", 5)
	longer := func(e grader.Exercise) {
		replace(t, e.SolutionDir()+"/exercise.go", "//   - It is the sum of three numbers.\n",
			"//   - It is the sum.\n"+bullets)
	}
	for want, change := range map[string]func(e grader.Exercise){
		"it has 5 lines that are to be written, of 20 to 60":         func(grader.Exercise) {},
		"the assignment has 6 requirements in stage 1, of at most 5": longer,
		"the assignment has 99 words in stage 1, of at most 80":      longer,
		"the first sentence of a declaration has 28 words": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/exercise.go", "adds up the numbers",
				"adds up the numbers"+strings.Repeat(" and more", 11)+" again")
		},
		"the title of stage 2 has 13 words": func(e grader.Exercise) {
			for _, file := range []string{e.SolutionDir() + "/exercise.go", e.Dir() + "/stage2_test.go"} {
				replace(t, file, "no numbers", "no numbers"+strings.Repeat(" x", 11))
			}
		},
		"it has 21 wrong solutions": func(e grader.Exercise) {
			for i := range 18 {
				gradertest.Write(t, fmt.Sprintf("%s/wrong/w%d.go", e.SolutionDir(), i), "package sum\n")
			}
		},
	} {
		if got := strings.Join(proof.Limits(staged(t, change)), "\n"); !strings.Contains(got, want) {
			t.Errorf("%q is not in: %s", want, got)
		}
	}
	if got := proof.Limits(gradertest.Exercises(t, gradertest.New(t), "98.1")[0]); len(got) > 0 {
		t.Errorf("without stages: %v", got)
	}
}

// TestAssignment: what is counted, and what is not.
func TestAssignment(t *testing.T) {
	t.Parallel()
	a, err := proof.ReadAssignment([]byte(`// Package x is three words.
//
//	an example counts for nothing
//
// And four words more.
package x

// F does it. This is not counted.
//
// Stage 1: some words
//   - Two words.
//   - And a requirement that goes
//     on.
//
// Stage 2 (hard): more
// No bullet at all.
func F() {
	// TODO: nothing
}

// G does it too.
// Stage 1: some words
//   - Again.
func G() {}
`))
	if err != nil || len(a.Problems) > 0 || a.Words != 9+2+6+4+1 || a.Requirements() != 4 || len(a.Stages) != 2 {
		t.Fatalf("%v: %+v", err, a)
	}
	if first := a.Stages[0]; first.Words != 9 || !slices.Equal(first.Requirements,
		[]string{"Two words.", "And a requirement that goes on.", "Again."}) {
		t.Errorf("%+v", first)
	}
}

// TestVerifyStages: partial solutions and wrong ones of the fixture are as they should be, and what is not is told.
func TestVerifyStages(t *testing.T) {
	t.Parallel()
	rep := proof.Verify(t.Context(), []grader.Exercise{staged(t, func(grader.Exercise) {})},
		proof.Options{Count: 1, Parallel: 2})[0]
	if !rep.OK() || len(rep.Unneeded()) > 0 || len(rep.Rows) != 9 {
		t.Fatalf("the fixture itself: %+v, unneeded %v", rep, rep.Unneeded())
	}
	for _, c := range []struct{ solution, old, new, want string }{
		{"partial/stage2", "len(numbers) == 0", "numbers == nil", "passes 0 stages, and should pass 2. Expected: no panic"},
		{"partial/stage2", "\t\treturn 1", "\t\treturn 0*1", "passes 3 stages, and should pass 2"},
		{"partial/stage1", "\treturn numbers[0]", "\tif numbers == nil {\n\t\treturn 0\n\t}\n\treturn numbers[0]",
			"fails in TestEmpty, and not in TestNone, which opens stage 2"},
		{"wrong/also/never-none", "numbers[0]\n", "len(numbers)\n", "fails in stage 1; the header names stage 2"},
	} {
		e := staged(t, func(e grader.Exercise) { replace(t, e.SolutionDir()+"/"+c.solution+".go", c.old, c.new) })
		if rep := verifyOnly(t, e, c.solution); len(rep.Rows) != 2 || rep.Rows[1].OK ||
			!strings.Contains(rep.Rows[1].Message, c.want) {
			t.Errorf("%s: %q is not in %+v", c.solution, c.want, rep.Rows)
		}
	}
}

// verifyOnly proves the stub and the solutions of those names.
func verifyOnly(t *testing.T, e grader.Exercise, names ...string) proof.Report {
	t.Helper()
	chosen := func(_ grader.Exercise, s proof.Solution) bool { return slices.Contains(names, s.Name) }
	return proof.Verify(t.Context(), []grader.Exercise{e}, proof.Options{Count: 1, Parallel: 2, Chosen: chosen})[0]
}

// TestRepeated: of two wrong solutions that the same test tells with the same words one is too many.
func TestRepeated(t *testing.T) {
	t.Parallel()
	e := staged(t, func(e grader.Exercise) {
		text := strings.ReplaceAll(gradertest.Read(t, e.SolutionDir()+"/wrong/few.go"), "7", "9")
		gradertest.Write(t, e.SolutionDir()+"/wrong/more.go", text)
	})
	rep := verifyOnly(t, e, "wrong/few", "wrong/more")
	if got := strings.Join(rep.Problems, "\n"); got != "wrong/more is one too many: wrong/few is told the same by TestMany; "+
		"drop one, or put it into wrong/also" {
		t.Errorf("%s, of %+v", got, rep.Rows)
	}
}

// TestSnapshots: a rate of snapshots refuses no right one, and how many wrong ones pass is a matter of all exercises.
func TestSnapshots(t *testing.T) {
	t.Parallel()
	rates, err := proof.ParseSecondAuthor([]byte("first: 1 of 8 snapshots refused, 3 of 16 wrong passed\n" +
		"second: 0 of 8 snapshots refused, 4 of 16 wrong passed\n"))
	if err != nil || len(rates) != 2 || rates[0].Good() || !rates[1].Good() {
		t.Fatalf("%+v, %v", rates, err)
	}
	if _, err := proof.ParseSecondAuthor([]byte("first: 1 of 8 snapshots refused, 0 of 16 wrong passed\n")); err == nil {
		t.Error("a right one may be refused")
	}
	if err := proof.Gate(rates[1:]); err == nil {
		t.Error("4 of 16 pass the gate")
	}
	few := proof.Rate{Wrong: 8, Right: 8, Snapshots: true}
	if err := proof.Gate([]proof.Rate{rates[1], few, {Passed: 6, Wrong: 6}}); err != nil {
		t.Errorf("4 of 24, beside an exercise of the old form: %v", err)
	}
}
