package grader_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// broken gets its verdict without a build.
const broken = "package sum\n\nfunc Sum(\n"

// TestFromLayouts: a submission may look like a clone, like solutions/, or be a heap of files.
func TestFromLayouts(t *testing.T) {
	t.Parallel()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	for _, layout := range []string{
		"chapters/98-fixture/exercises/1-sum/exercise.go", "98-fixture/1-sum/exercise.go", "98/1-sum/exercise.go",
		"98.1/exercise.go", "98.1.go",
	} {
		dir := t.TempDir()
		gradertest.Write(t, filepath.Join(dir, layout), broken)
		r := grader.GradeOne(t.Context(), e, grader.Options{From: dir})
		if r.Status != grader.Failed || r.Failure.Reason != grader.ReasonCompile {
			t.Errorf("%s: %+v", layout, r)
		}
		var text strings.Builder
		grader.Print(&text, r, false)
		grader.PrintSummary(&text, []grader.Result{r})
		if r.Source != filepath.Join(dir, layout) || !strings.Contains(text.String(), layout) ||
			strings.Contains(text.String(), "hint") {
			t.Errorf("whoever grades is to open the file that was graded, %s in %s:\n%s", layout, r.Source, &text)
		}
	}
	empty := t.TempDir()
	r := grader.GradeOne(t.Context(), e, grader.Options{From: empty})
	if r.Status != grader.NotAttempted || len(r.Notes) != 1 || !r.NotFound() ||
		!strings.Contains(r.Notes[0], empty+" has none of 98.1.go, 98.1/exercise.go") {
		t.Errorf("an empty submission: %+v", r)
	}
}

// TestFromIsPristine: a submission's own tests, helpers and hashes count for nothing.
func TestFromIsPristine(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	e := gradertest.Exercises(t, c, "98.1")[0]
	dir := t.TempDir()
	folder := filepath.Join(dir, "chapters/98-fixture/exercises/1-sum")
	gradertest.Write(t, filepath.Join(folder, "exercise.go"), "package sum\n\nfunc Sum([]int) int { return 5 }\n")
	gradertest.Write(t, filepath.Join(folder, "exercise_test.go"),
		"package sum\n\nimport \"testing\"\n\nfunc TestSum(*testing.T) {}\n")
	gradertest.Write(t, filepath.Join(folder, "z_test.go"),
		"package sum\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n")
	gradertest.Write(t, filepath.Join(dir, "solutions/98-fixture/1-sum/exercise.go"),
		"package sum\n\nfunc Sum([]int) int { return 5 }\n")
	r := grader.GradeOne(t.Context(), e, grader.Options{From: dir})
	if r.Status != grader.Failed || r.Failure.Test != "TestSum" || !strings.Contains(r.Failure.Happened, "it was 5") {
		t.Fatalf("%+v %+v", r, r.Failure)
	}
}

// TestFromReadsNothingElse: a submission can't show the grader a file from outside its folder.
func TestFromReadsNothingElse(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	e := gradertest.Exercises(t, c, "98.1")[0]
	dir := t.TempDir()
	if err := os.Symlink(e.SolutionDir(), filepath.Join(dir, "98.1")); err != nil {
		t.Skip("needs symlinks: ", err)
	}
	r := grader.GradeOne(t.Context(), e, grader.Options{From: dir})
	if r.Status != grader.Failed || r.Failure.Reason != grader.ReasonFile ||
		!strings.Contains(r.Failure.Happened, "can't be read") {
		t.Fatalf("%+v %+v", r, r.Failure)
	}
}

// TestSelectors: a chapter, an exercise, a folder's name; and what is none says what there is.
func TestSelectors(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	for selector, want := range map[string]string{
		"98": "98.1 98.2", "98.2": "98.2", "98-fixture": "98.1 98.2", "chapters/98-fixture": "98.1 98.2",
	} {
		var got []string
		for _, e := range gradertest.Exercises(t, c, selector) {
			got = append(got, e.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", selector, got, want)
		}
	}
	for _, selector := range []string{"97", "98.3", "sum", "98.12", "98-1"} {
		if _, err := c.Find(selector); err == nil {
			t.Errorf("%s was found", selector)
		}
	}
	for selector, says := range map[string]string{"97": "those of chapters 98", "98.7": "its chapter has 98.1, 98.2"} {
		if _, err := c.Find(selector); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q in it", selector, err, says)
		}
	}
	e := gradertest.Exercises(t, c, "98.2")[0]
	if e.Title != "A box" || e.Stars != 2 {
		t.Errorf("title %q, %d stars", e.Title, e.Stars)
	}
}
