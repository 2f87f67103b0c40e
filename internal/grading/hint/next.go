package hint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// Next reads the level after the last one given, and remembers it below dir (the repository's .lab). After the
// solution comes the solution again. Stage 0 is the one at hand, as [Note] was last told.
func Next(e grader.Exercise, dir string, stage int) (Hint, error) {
	if stage == 0 {
		stage = AtHand(e, dir)
	}
	first, err := Read(e, stage, 1)
	if err != nil {
		return Hint{}, err
	}
	last := max(number(given(e, dir, stage)), 0)
	h, err := Read(e, stage, min(last+1, first.Levels+1))
	if err != nil {
		return Hint{}, err
	}
	return h, remember(given(e, dir, stage), h.Level)
}

// Forget begins again with the first hint, of each stage.
func Forget(e grader.Exercise, dir string) error {
	return remove(filepath.Glob(given(e, dir, 0) + "*"))
}

// Restart forgets the stage at hand, too: nothing is written any more.
func Restart(e grader.Exercise, dir string) error {
	return errors.Join(Forget(e, dir), remove(filepath.Glob(filepath.Join(dir, "stages", e.ID))))
}

func remove(files []string, err error) error {
	errs := []error{err}
	for _, file := range files {
		errs = append(errs, os.Remove(file))
	}
	return errors.Join(errs...)
}

// Note remembers which stage is at hand, as grade has found it. Where all are passed it is one more than there are.
// What does not compile is at no stage, and leaves what was known before.
func Note(r grader.Result, dir string) error {
	if len(r.Stages) == 0 || r.Status == grader.Failed && len(r.Tests) == 0 {
		return nil
	}
	at := len(r.Stages) + 1
	if s, ok := r.AtHand(); ok {
		at = s.Stage
	}
	return remember(filepath.Join(dir, "stages", r.Exercise), at)
}

// AtHand is the stage that grade last found at hand, the last one where all are passed. Nothing graded yet, or written
// by somebody else, is the first.
func AtHand(e grader.Exercise, dir string) int {
	stages, err := e.Stages()
	if err != nil || len(stages) == 0 {
		return 0
	}
	return min(max(number(noted(e, dir)), 1), len(stages))
}

// AllPassed reports whether grade last found all stages of an exercise passed, and how many there are.
func AllPassed(e grader.Exercise, dir string) (stages int, ok bool) {
	all, err := e.Stages()
	return len(all), err == nil && len(all) > 0 && number(noted(e, dir)) > len(all)
}

// noted is the file that says which stage is at hand.
func noted(e grader.Exercise, dir string) string { return filepath.Join(dir, "stages", e.ID) }

// given is the file that says which hint was the last, of a stage.
func given(e grader.Exercise, dir string, stage int) string {
	file := filepath.Join(dir, "hints", e.ID)
	if stage > 0 {
		file += fmt.Sprintf("-stage%d", stage)
	}
	return file
}

func number(file string) int {
	text, _ := os.ReadFile(file) // no file: nothing was given yet
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n
}

func remember(file string, n int) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strconv.Itoa(n)+"\n"), 0o644)
}
