package grader_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// TestHandoutsAreReadOnce: what a graded exercise.go does to the course on disk reaches nobody who is graded after it
// in the same run.
func TestHandoutsAreReadOnce(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	read, err := grader.ReadHandouts(gradertest.Exercises(t, c, "98.1"))
	if err != nil {
		t.Fatal(err)
	}
	e, evil, next := read[0], t.TempDir(), t.TempDir()
	test := filepath.Join(e.Dir(), "exercise_test.go")
	gradertest.Write(t, filepath.Join(evil, "98.1.go"),
		"package sum\n\nimport \"os\"\n\nfunc init() {\n\tos.WriteFile(\""+
			filepath.ToSlash(test)+"\", []byte(\"package sum\\n\\nimport \\\"testing\\\"\\n\\n"+
			"func TestSum(*testing.T) {}\\n\"), 0o644)\n\tos.Remove(\""+
			filepath.ToSlash(filepath.Join(e.SolutionDir(), grader.SumFile))+"\")\n}\n\n"+sumWrong)
	gradertest.Write(t, filepath.Join(next, "98.1.go"), sumHead+sumWrong)
	for _, from := range []string{evil, next} {
		r := grader.GradeOne(t.Context(), e, grader.Options{From: from})
		if r.Status != grader.Failed || r.Failure.Test != "TestNone" {
			t.Errorf("%s: %+v %+v", from, r, r.Failure)
		}
	}
	if !strings.Contains(gradertest.Read(t, test), "func TestSum(*testing.T) {}") {
		t.Error("the test was not rewritten: this shows nothing")
	}
}

// TestTamperedCourse: with -from the tests are the teacher's, and whoever is graded did not edit them.
func TestTamperedCourse(t *testing.T) {
	t.Parallel()
	e, dir := gradertest.Exercises(t, gradertest.New(t), "98.1")[0], t.TempDir()
	gradertest.Write(t, filepath.Join(dir, "98.1.go"), sumHead+sumRight)
	path := filepath.Join(e.Dir(), "exercise_test.go")
	gradertest.Write(t, path, gradertest.Read(t, path)+"\n// Mine.\n")
	r := grader.GradeOne(t.Context(), e, grader.Options{From: dir})
	if r.Status != grader.Errored || !strings.Contains(r.Error, "exercise_test.go is not as it was handed out") ||
		!strings.Contains(r.Error, "git checkout -- chapters/98-fixture") {
		t.Errorf("%+v %+v", r, r.Failure)
	}
}

// TestUnreadable: a file that the grader may not read is nobody's failure.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("this machine runs the tests as root, and root reads everything")
	}
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	for _, name := range []string{"98.1/exercise.go", "98.1", "."} {
		dir := t.TempDir()
		gradertest.Write(t, filepath.Join(dir, "98.1", "exercise.go"), sumHead+sumRight)
		closed := filepath.Join(dir, name)
		if err := os.Chmod(closed, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(closed, 0o700) })
		r := grader.GradeOne(t.Context(), e, grader.Options{From: dir})
		if r.Status != grader.Errored || !strings.Contains(r.Error, "permission denied") {
			t.Errorf("%s: %+v %+v", name, r, r.Failure)
		}
	}
}

// TestImportNotes: whoever reads the report of a submission sees what it imports; a learner is not told.
func TestImportNotes(t *testing.T) {
	t.Parallel()
	e, dir := gradertest.Exercises(t, gradertest.New(t), "98.1")[0], t.TempDir()
	text := "package sum\n\nimport (\n\t_ \"syscall\"\n\t_ \"runtime/debug\"\n\t_ \"io\"\n)\n\n" + sumRight
	gradertest.Write(t, filepath.Join(dir, "98.1.go"), text)
	gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"), text)
	r := grader.GradeOne(t.Context(), e, grader.Options{From: dir})
	if r.Status != grader.Passed || !slices.Equal(r.Notes, []string{
		"imports beyond its stub: io, runtime/debug, syscall", "a person reads what it does with runtime/debug, syscall"}) {
		t.Errorf("%+v %+v", r, r.Failure)
	}
	if r := grader.GradeOne(t.Context(), e, grader.Options{}); r.Status != grader.Passed || len(r.Notes) > 0 {
		t.Errorf("a learner: %+v %+v", r, r.Failure)
	}
}
