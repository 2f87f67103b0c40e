package grader_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// TestWatch saves as editors do. Each file gets its verdict before it is built, so that what is timed is the watching.
func TestWatch(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	exercises := gradertest.Exercises(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	verdicts := make(chan grader.Result, 10)
	ended := make(chan error)
	go func() {
		ended <- grader.Watch(ctx, exercises, grader.Options{}, func(r grader.Result) { verdicts <- r })
	}()
	next := func() grader.Result {
		t.Helper()
		select {
		case r := <-verdicts:
			return r
		case <-time.After(20 * time.Second):
			t.Fatal("no verdict")
		}
		return grader.Result{}
	}
	for range exercises {
		if r := next(); r.Status != grader.NotAttempted {
			t.Fatalf("at first: %+v", r)
		}
	}
	one, two := filepath.Join(exercises[0].Dir(), "exercise.go"), filepath.Join(exercises[1].Dir(), "exercise.go")

	start := time.Now()
	gradertest.Write(t, one, "package sum\n\nfunc Sum(\n")
	if r := next(); r.Exercise != "98.1" || r.Status != grader.Failed {
		t.Errorf("after a save: %+v", r)
	}
	t.Logf("a save: %v", time.Since(start))

	start = time.Now()
	gradertest.Write(t, one+".new", "package other\n")
	if err := os.Remove(one); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(one+".new", one); err != nil {
		t.Fatal(err)
	}
	if r := next(); r.Exercise != "98.1" || r.Failure == nil || r.Failure.Reason != grader.ReasonFile {
		t.Errorf("after a replacement: %+v", r)
	}
	t.Logf("a replacement: %v", time.Since(start))

	start = time.Now()
	gradertest.Write(t, one, "package sum\n\nfunc (\n")
	gradertest.Write(t, two, "package box\n\nfunc (\n")
	seen := map[string]bool{next().Exercise: true, next().Exercise: true}
	if !seen["98.1"] || !seen["98.2"] {
		t.Errorf("after two saves: %v", seen)
	}
	t.Logf("two saves: %v", time.Since(start))

	if _, err := exercises[0].Reset(time.Now()); err != nil {
		t.Fatal(err)
	}
	if r := next(); r.Status != grader.NotAttempted {
		t.Errorf("after a reset: %+v", r)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if grader.Poll > 250*time.Millisecond {
		t.Errorf("looking every %v is too slow to react within a second", grader.Poll)
	}
}
