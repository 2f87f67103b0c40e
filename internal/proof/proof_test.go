package proof_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grader/gradertest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/proof"
)

func problems(t *testing.T, change func(e grader.Exercise)) string {
	t.Helper()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	change(e)
	return strings.Join(proof.Static(e), "\n")
}

// replace changes a file of the exercise (HINTS.md) or of its solutions (alt/...).
func replace(t *testing.T, path, old, new string) {
	t.Helper()
	text := gradertest.Read(t, path)
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %q", path, old)
	}
	gradertest.Write(t, path, strings.Replace(text, old, new, 1))
}

// TestStatic: what belongs to an exercise is there, and nothing else.
func TestStatic(t *testing.T) {
	t.Parallel()
	if got := problems(t, func(grader.Exercise) {}); got != "" {
		t.Fatalf("the fixture itself: %s", got)
	}
	for want, change := range map[string]func(e grader.Exercise){
		`HINTS.md has no "## Hint 2"`: func(e grader.Exercise) { replace(t, e.Dir()+"/HINTS.md", "## Hint 2", "## Second") },
		`HINTS.md has no "## Solution"`: func(e grader.Exercise) {
			replace(t, e.Dir()+"/HINTS.md", "A total, and a loop.", "")
		},
		"exercise.go is not the stub":  func(e grader.Exercise) { replace(t, e.Dir()+"/exercise.go", "-1", "-2") },
		"stub.sum is out of date":      func(e grader.Exercise) { replace(t, e.Dir()+"/exercise_test.go", "6", "6 ") },
		"does not begin with exercise": func(e grader.Exercise) { replace(t, e.Dir()+"/exercise_test.go", "exercise.Attempted(t)\n", "") },
		"alt/recursive is not formatted": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/alt/recursive/exercise.go", "return 0", "return  0")
		},
		"wrong/off-by-one: its comment at the very top of the file lacks Caught by:": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/off-by-one/exercise.go", "// Caught by:", "// Killed by:")
		},
		"is caught by TestAll, which is no test": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/off-by-one/exercise.go", "by: TestSum", "by: TestAll")
		},
		"stray file: chapters/98-fixture/exercises/1-sum/exercise.go.orig": func(e grader.Exercise) {
			gradertest.Write(t, e.Dir()+"/exercise.go.orig", "")
		},
		"stray file: solutions/98-fixture/1-sum/wrong/README.md": func(e grader.Exercise) {
			gradertest.Write(t, e.SolutionDir()+"/wrong/README.md", "")
		},
		"there is no alt solution": func(e grader.Exercise) { os.RemoveAll(e.SolutionDir() + "/alt") },
		"are the same program": func(e grader.Exercise) {
			gradertest.Write(t, e.SolutionDir()+"/alt/again/exercise.go", gradertest.Read(t, e.SolutionDir()+"/alt/recursive/exercise.go"))
		},
		"the reference has no region": func(e grader.Exercise) {
			gradertest.Write(t, e.SolutionDir()+"/exercise.go", gradertest.Read(t, e.Dir()+"/exercise.go"))
		},
	} {
		if got := problems(t, change); !strings.Contains(got, want) {
			t.Errorf("%q is not in: %s", want, got)
		}
	}
}

// TestVerify: the fixture's wrong solutions are killed, one more survives, and one is killed by another test than
// its header says.
func TestVerify(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	e := gradertest.Exercises(t, c, "98.1")[0]
	alt := gradertest.Read(t, e.SolutionDir()+"/alt/recursive/exercise.go")
	add := func(name, header, code string) {
		gradertest.Write(t, filepath.Join(e.SolutionDir(), "wrong", name, "exercise.go"), header+"\n"+code)
	}
	add("survivor", "// Misconception: m\n// Caught by: TestSum\n// Message: m\n", strings.Replace(alt, "numbers) == 0", "numbers) <= 0", 1))
	add("other-test", "// Misconception: m\n// Caught by: TestNone\n// Message: m\n", strings.Replace(alt, "return 0", "return 7", 1))
	add("other-message", "// Misconception: m\n// Caught by: TestSum\n// Message: it was 8\n", strings.Replace(alt, "return 0", "return 1", 1))
	rep := proof.Verify(t.Context(), e, proof.Options{Count: 3, Parallel: 2})
	if len(rep.Problems) > 0 || rep.OK() {
		t.Errorf("problems %v, ok %v", rep.Problems, rep.OK())
	}
	want := []struct {
		name string
		ok   bool
		says string
	}{
		{"stub", true, ""}, {"reference", true, "passed 3 times"}, {"alt/recursive", true, "passed 3 times"},
		{"wrong/never-empty", true, "index out of range"}, {"wrong/off-by-one", true, "it was 3"},
		{"wrong/other-message", false, `the header quotes "it was 8"; what is shown is: Expected: the sum`},
		{"wrong/other-test", false, "is shown the failure of TestSum; the header names TestNone"},
		{"wrong/survivor", false, "SURVIVES"},
	}
	if len(rep.Rows) != len(want) {
		t.Fatalf("%d rows, want %d: %+v", len(rep.Rows), len(want), rep.Rows)
	}
	for i, w := range want {
		if r := rep.Rows[i]; r.Solution != w.name || r.OK != w.ok || !strings.Contains(r.Message, w.says) {
			t.Errorf("row %d: %+v, want %+v", i, r, w)
		}
	}
	var out bytes.Buffer
	for _, r := range rep.Rows {
		proof.PrintRow(&out, r, true)
	}
	proof.PrintProblems(&out, rep)
	proof.PrintSummary(&out, []proof.Report{rep}, time.Second)
	for line := range strings.Lines(out.String()) {
		if utf8.RuneCountInString(line) > 101 {
			t.Errorf("wider than 100 columns: %s", line)
		}
	}
	if !strings.Contains(out.String(), "2 of 5 wrong solutions killed as their headers say, 2 of 2 right ones pass") {
		t.Error(out.String())
	}
}

// TestVerifyBadStubs: a stub that passes, and one that does not compile.
func TestVerifyBadStubs(t *testing.T) {
	t.Parallel()
	for want, code := range map[string]string{"passes, and should fail": "return 6 * min(1, len(numbers))", "exercise.go:8: undefined: y": "return y"} {
		e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
		replace(t, e.SolutionDir()+"/exercise.go", "return -1", code)
		os.RemoveAll(e.SolutionDir() + "/alt")
		os.RemoveAll(e.SolutionDir() + "/wrong")
		rep := proof.Verify(t.Context(), e, proof.Options{Count: 1, Parallel: 2})
		if row := rep.Rows[0]; row.OK || !strings.Contains(row.Message, want) {
			t.Errorf("%+v, want %s", row, want)
		}
	}
}
