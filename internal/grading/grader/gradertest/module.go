package gradertest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// Module is [New] as a module of its own, so that what else lies in its folders is there for the go command: in the
// course that New makes, the go command sees nothing but what the grader shows it.
func Module(t *testing.T) grader.Course {
	t.Helper()
	c := New(t)
	for _, name := range []string{"go.mod", "go.sum"} {
		Write(t, filepath.Join(c.Dir, name), Read(t, filepath.Join(c.Root, name)))
	}
	for _, name := range []string{"internal/exercise", "internal/testkit"} {
		if err := os.CopyFS(filepath.Join(c.Dir, name), os.DirFS(filepath.Join(c.Root, name))); err != nil {
			t.Fatal(err)
		}
	}
	c.Root = c.Dir
	return c
}
