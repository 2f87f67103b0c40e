package grader

import (
	"os"
	"path/filepath"
)

// workspace copies the exercise's folder for the tests to run in: what they, or the code that they test, write beside
// themselves goes away with it, and not into somebody's clone.
func (v variant) workspace() (string, error) {
	dir := filepath.Join(v.scratch, "work")
	given, err := v.exercise.given()
	if err != nil {
		return "", err
	}
	for name, text := range given.files {
		if err := writeNew(filepath.Join(dir, name), text); err != nil {
			return "", err
		}
	}
	return dir, writeNew(filepath.Join(dir, "exercise.go"), v.source)
}

func writeNew(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}
