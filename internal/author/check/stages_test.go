package check

import (
	"strings"
	"testing"
)

const stagesTree = `-- solutions/01-a/1-x/exercise.go --
// Package x is an exercise. docs/exercises.md says what holds for every exercise.
package x

// F counts.
//
// Stage 1: one
//   - It counts.
//
// Stage 2: two
//   - It counts on.
func F() int {
	//solution:begin
	//stub: return 0
` + "LINES" + `	//solution:end
}
-- solutions/01-a/1-x/wrong/y.go --
-- solutions/01-a/1-x/second-author.txt --
first: 0 of 4 snapshots refused, 1 of 8 wrong passed
-- chapters/01-a/exercises/1-x/stage1_test.go --
// Stage 1: one

package x

func TestOne(t *testing.T) {}
-- chapters/01-a/exercises/1-x/stage2_test.go --
// Stage 2: two

package x

func TestTwo(t *testing.T) {}
-- chapters/01-a/exercises/1-x/HINTS.md --
# Hints: 01.1 X ★
`

func TestStages(t *testing.T) {
	good := strings.Replace(stagesTree, "LINES", strings.Repeat("\tf()\n", 30), 1)
	expect(t, stagesCheck, good)
	expect(t, stagesCheck, strings.Replace(stagesTree, "LINES", "\tf()\n", 1),
		"chapters/01-a/exercises/1-x/exercise.go: it has 1 lines that are to be written, of 20 to 60")
	expect(t, stagesCheck, strings.Replace(good, "// Stage 2: two\n\npackage", "// Stage 2: deux\n\npackage", 1),
		`the stub says "Stage 2: two", and stage2_test.go "Stage 2: deux"`)
	expect(t, stagesCheck, strings.Replace(good, "1 of 8 wrong", "2 of 8 wrong", 1),
		"second authors of all exercises with stages: 0 of 4 snapshots refused, 2 of 8 wrong passed")
	expect(t, stagesCheck, stubsTree) // nothing climbs
}
