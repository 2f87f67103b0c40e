package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const stubsTree = `-- solutions/01-a/1-x/exercise.go --
package x

// F gives one.
func F() int {
	//solution:begin
	//todo: give one
	//stub: return 0
	return 1
	//solution:end
}
-- chapters/01-a/exercises/1-x/exercise.go --
package x

// F gives one.
func F() int {
	// TODO: give one
	return 0
}
`

func TestStubs(t *testing.T) {
	require.Equal(t, "solutions/01-a/1-x/stub.sum: is missing: an edited test would not be noticed\n",
		run(t, stubsCheck, tree(t, stubsTree)))
	expect(t, stubsCheck, stubsTree+"-- solutions/01-a/1-x/stub.sum --\nabc  exercise_test.go\n",
		"exercise_test.go: is not the file whose hash")
	expect(t, stubsCheck, stubsTree+"-- solutions/01-a/1-x/stub.sum --\n")
	expect(t, stubsCheck, strings.Replace(stubsTree, "return 0\n}", "return 7\n}", 1),
		"exercise.go: is not the stub that the reference")
	expect(t, stubsCheck, "-- chapters/01-a/exercises/1-x/exercise.go --\npackage x\n", "has no reference solution")
}
