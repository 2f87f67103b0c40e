// Package gradertest makes a small course in a temporary folder, for the tests of the grader and what builds on it.
package gradertest

import (
	_ "embed"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

//go:embed course.txtar
var course []byte

//go:embed staged.txtar
var staged []byte

// New writes the course, with its stubs, to a folder that ends with the test.
func New(t *testing.T) grader.Course {
	t.Helper()
	return write(t, course)
}

// NewStaged is [New] of the course whose exercises have stages: 98.1, of which the third is hard, and 98.3.
func NewStaged(t *testing.T) grader.Course {
	t.Helper()
	return write(t, staged)
}

func write(t *testing.T, archive []byte) grader.Course {
	t.Helper()
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	c := grader.Course{Root: root, Dir: t.TempDir()}
	for _, f := range txtar.Parse(archive).Files {
		Write(t, filepath.Join(c.Dir, f.Name), string(f.Data))
	}
	for _, e := range Exercises(t, c) {
		if _, err := e.WriteStub(); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// Exercises finds the course's exercises, or those selected.
func Exercises(t *testing.T, c grader.Course, selectors ...string) []grader.Exercise {
	t.Helper()
	all, err := c.Find(selectors...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Write writes a file, and the folders above it.
func Write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Read reads a file.
func Read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
