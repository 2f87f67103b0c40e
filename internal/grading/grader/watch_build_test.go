package grader_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// TestWatchEndsBuilds: a save ends the build of what was saved before, and so does the end of the watch. Neither leaves
// a compiler or a file.
func TestWatchEndsBuilds(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs linux: processes are looked for in /proc")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	path := filepath.Join(e.Dir(), "exercise.go")
	gradertest.Write(t, path, nestedTypes())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	verdicts, ended := make(chan grader.Result, 10), make(chan error, 1)
	go func() {
		o := grader.Options{Limits: grader.Limits{Build: time.Hour}}
		ended <- grader.Watch(ctx, []grader.Exercise{e}, o, func(r grader.Result) { verdicts <- r })
	}()
	eventually(t, "the compiler runs", func() bool { return compiles(temp) })
	gradertest.Write(t, path, broken)
	select {
	case r := <-verdicts:
		if r.Failure == nil || r.Failure.Reason != grader.ReasonCompile || r.Failure.Line == 0 {
			t.Errorf("after a save: %+v", r)
		}
	case <-time.After(time.Minute):
		t.Fatal("a save does not end the build of the one before")
	}
	eventually(t, "the compiler of the first save has ended", func() bool { return !compiles(temp) })
	gradertest.Write(t, path, nestedTypes())
	eventually(t, "the compiler runs again", func() bool { return compiles(temp) })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	eventually(t, "the last compiler has ended", func() bool { return !compiles(temp) })
	if left := names(t, temp); left != "" {
		t.Errorf("left in the temporary folder: %s", left)
	}
}

func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	limit := time.After(time.Minute)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !happened() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("it does not happen that %s", what)
		}
	}
}

// compiles reports whether a compiler runs on a submission: one whose arguments name its file in the temporary folder.
func compiles(temp string) bool {
	commands, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range commands {
		text, _ := os.ReadFile(name)
		program, arguments, _ := bytes.Cut(text, []byte{0})
		if strings.HasSuffix(string(program), "/compile") && bytes.Contains(arguments, []byte(temp)) {
			return true
		}
	}
	return false
}
