package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// TestInterruptedClass: Ctrl-C in the middle of a class leaves no file of those that were being graded.
func TestInterruptedClass(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	c, dir := gradertest.New(t), t.TempDir()
	hangs := "package sum\n\nfunc init() { select {} }\n\nfunc Sum(numbers []int) int { return 0 }\n"
	for _, name := range []string{"anna", "ben", "zoe"} {
		gradertest.Write(t, filepath.Join(dir, name, "98.1.go"), hangs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		defer cancel()
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if begun, _ := filepath.Glob(filepath.Join(temp, "grade-*", "overlay.json")); len(begun) == 2 {
				return
			}
		}
	}()
	f := flags{from: dir, each: true, noRace: true, parallel: 2}
	code, err := run(ctx, c, f, nil, io.Discard, io.Discard)
	if code != 2 || err == nil || !strings.Contains(err.Error(), "interrupted after 0 of 3") {
		t.Errorf("%d, %v", code, err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
