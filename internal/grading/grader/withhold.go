package grader

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Withhold takes the solution of an exercise out of a course that is handed out: the stub takes the reference's place
// (a stub is its own stub, so all else goes on working), the other solutions go, and so do the
// reasons in the hints.
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
	return errors.Join(
		os.RemoveAll(filepath.Join(e.SolutionDir(), "alt")),
		os.RemoveAll(filepath.Join(e.SolutionDir(), "wrong")),
		os.RemoveAll(filepath.Join(e.SolutionDir(), "partial")),
		replaceFile(hints, []byte(withoutReasons(string(have)))),
	)
}

// withoutReasons takes the solutions' sections out of the hints: each is the last of the exercise, or of its stage.
func withoutReasons(hints string) string {
	var out strings.Builder
	taken := false
	for line := range strings.Lines(hints) {
		switch heading := strings.TrimSpace(line); {
		case strings.HasPrefix(heading, "## Stage "):
			taken = false
		case heading == "## Solution", heading == "### Solution":
			out.WriteString(line + "\nYour teacher has it.\n\n")
			taken = true
		}
		if !taken {
			out.WriteString(line)
		}
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}
