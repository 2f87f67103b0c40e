package check

import (
	"strings"
	"testing"
)

const solutionsTree = stubsTree + `-- chapters/01-a/exercises/1-x/exercise_test.go --
package x_test

import "testing"

func TestF(t *testing.T) {}
-- solutions/01-a/1-x/alt/other/exercise.go --
package x

// F gives one.
func F() int { return 2 - 1 }
-- solutions/01-a/1-x/wrong/two.go --
// Breaks: F gives one.
// Caught by: TestF
// Message: two

//go:build wrong

package x

// F gives two.
func F() int { return 2 }
`

func TestSolutions(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(solutionsTree, old, new, 1) }
	expect(t, solutionsCheck, solutionsTree)
	expect(t, solutionsCheck, stubsTree) // the solutions were withheld
	expect(t, solutionsCheck, "-- a.go --\npackage a\n")
	expect(t, solutionsCheck, change("return 2 }", "return two }"),
		"solutions/01-a/1-x/wrong/two.go:10: undefined: two")
	expect(t, solutionsCheck, change("Caught by: TestF", "Caught by: TestG"),
		"solutions/01-a/1-x: wrong/two is caught by TestG")
	expect(t, solutionsCheck, change("Breaks: F gives one.", "Breaks: F gives four."),
		"does not stand in the comments of the stub")
	expect(t, solutionsCheck, change("func F() int { return 2 }", "func F() int { return 1 }"),
		"solutions/01-a/1-x/wrong/two.go:9: F is as in solutions/01-a/1-x/exercise.go: leave it out")
}
