package grader

import (
	"fmt"
	"reflect"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

const initFirstName = "zz_init_first_test.go"

// initFirst is a test file of the learner's own package that imports package exercise and does nothing else.
// Packages that do not import each other are initialised in the order of their paths, and tests in a package of their
// own give exercise.go no reason to wait: it would be there before the secret is read and the clock runs.
func (v variant) initFirst() ([]byte, error) {
	file, err := parseSource(v.source)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "package %s\n\nimport _ %q\n", file.Name.Name,
		reflect.TypeFor[exercise.Verdict]().PkgPath()), nil
}
