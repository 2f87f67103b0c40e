package grader_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// TestReset: the stub is back, and the work is kept, also when two resets fall into one second.
func TestReset(t *testing.T) {
	t.Parallel()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	path := filepath.Join(e.Dir(), "exercise.go")
	stub := gradertest.Read(t, path)
	now := time.Now()
	if backup, err := e.Reset(now); err != nil || backup != "" {
		t.Fatalf("an untouched stub: %q, %v", backup, err)
	}
	for _, work := range []string{"package sum // my work\n", "package sum // more work\n"} {
		gradertest.Write(t, path, work)
		backup, err := e.Reset(now)
		if err != nil {
			t.Fatal(err)
		}
		if got := gradertest.Read(t, backup); got != work {
			t.Errorf("kept %q, want %q", got, work)
		}
		if gradertest.Read(t, path) != stub {
			t.Error("the stub is not back")
		}
	}
	os.Remove(path)
	gradertest.Write(t, filepath.Join(path, "notes.go"), "in a folder")
	backup, err := e.Reset(now)
	if err != nil || gradertest.Read(t, filepath.Join(backup, "notes.go")) != "in a folder" ||
		gradertest.Read(t, path) != stub {
		t.Errorf("a folder: %q, %v", backup, err)
	}
	os.Remove(path)
	if _, err := e.Reset(now); err != nil || gradertest.Read(t, path) != stub {
		t.Errorf("a missing file: %v", err)
	}
}

// TestResetKeepsWhatItCannotSave: without a place for the copy nothing is overwritten.
func TestResetKeepsWhatItCannotSave(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	e := gradertest.Exercises(t, c, "98.1")[0]
	path := filepath.Join(e.Dir(), "exercise.go")
	gradertest.Write(t, path, "package sum // my work\n")
	gradertest.Write(t, filepath.Join(c.Dir, ".lab"), "a file where the folder would be")
	if _, err := e.Reset(time.Now()); err == nil || !strings.Contains(err.Error(), "save your file") {
		t.Errorf("error %v", err)
	}
	if gradertest.Read(t, path) != "package sum // my work\n" {
		t.Error("the work is lost")
	}
}

// TestWriteStub: a changed reference changes the stub, and nobody's work is overwritten.
func TestWriteStub(t *testing.T) {
	t.Parallel()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	path, reference := filepath.Join(e.Dir(), "exercise.go"), filepath.Join(e.SolutionDir(), "exercise.go")
	gradertest.Write(t, reference, strings.Replace(gradertest.Read(t, reference), "return -1", "return -2", 1))
	if changed, err := e.WriteStub(); err != nil || len(changed) != 2 {
		t.Fatalf("%v, %v", changed, err)
	}
	if !strings.Contains(gradertest.Read(t, path), "return -2") {
		t.Error("the stub is the old one")
	}
	gradertest.Write(t, path, "package sum // my work\n")
	if _, err := e.WriteStub(); err == nil {
		t.Error("work was overwritten")
	}
}

// TestWithhold: without solutions the course grades and resets as before.
func TestWithhold(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	e := gradertest.Exercises(t, c, "98.1")[0]
	stub := gradertest.Read(t, filepath.Join(e.Dir(), "exercise.go"))
	if err := e.Withhold(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(c.Dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(path, "1-sum") {
			if text := gradertest.Read(t, path); strings.Contains(text, "total") {
				t.Errorf("%s has a solution: %s", path, text)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := grader.GradeOne(t.Context(), e, grader.Options{}); r.Status != grader.NotAttempted {
		t.Errorf("the stub: %+v", r)
	}
	gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"), "package sum\n\nfunc Sum([]int) int { return 5 }\n")
	if r := grader.GradeOne(t.Context(), e, grader.Options{}); r.Status != grader.Failed ||
		r.Failure.Test != "TestSum" {
		t.Errorf("a wrong solution: %+v", r)
	}
	if _, err := e.Reset(time.Now()); err != nil || gradertest.Read(t, filepath.Join(e.Dir(), "exercise.go")) != stub {
		t.Errorf("reset: %v", err)
	}
}
