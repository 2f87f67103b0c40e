package grader

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Withhold takes the solution of an exercise out of a course that is handed out: the stub takes the reference's place
// (a stub is its own stub, so all else goes on working), the other solutions go, and so does the last section of the
// hints.
func (e Exercise) Withhold() error {
	text, err := e.Stub()
	if err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(e.SolutionDir(), "exercise.go"), text); err != nil {
		return err
	}
	hints := filepath.Join(e.Dir(), "HINTS.md")
	have, err := os.ReadFile(hints)
	if err != nil {
		return err
	}
	kept, _, _ := strings.Cut(string(have), "\n## Solution\n")
	kept = strings.TrimRight(kept, "\n") + "\n\n## Solution\n\nYour teacher has it.\n"
	return errors.Join(
		os.RemoveAll(filepath.Join(e.SolutionDir(), "alt")),
		os.RemoveAll(filepath.Join(e.SolutionDir(), "wrong")),
		replaceFile(hints, []byte(kept)),
	)
}
