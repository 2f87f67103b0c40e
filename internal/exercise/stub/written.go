package stub

import (
	"fmt"
	"os"
	"path/filepath"
)

// Written reports whether a learner has written an exercise of a chapter: whether its exercise.go differs from the stub
// in more than comments and layout. root is the root of the checkout, chapter and slug are the folders' names.
func Written(root, chapter, slug string) (bool, error) {
	mine, err := os.ReadFile(filepath.Join(root, "chapters", chapter, "exercises", slug, "exercise.go"))
	if err != nil {
		return false, fmt.Errorf("read the exercise: %w", err)
	}
	reference, err := os.ReadFile(filepath.Join(root, "solutions", chapter, slug, "exercise.go"))
	if err != nil {
		return false, fmt.Errorf("read what the stub is made from: %w", err)
	}
	text, err := Generate(reference)
	if err != nil {
		return false, err
	}
	return !Same(mine, text), nil
}
