package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCodeLines(t *testing.T) {
	require.Equal(t, 6, codeLines([]byte(`// A comment.
package a

/* another,
of two lines */
import "fmt" // 2

const text = `+"`one\ntwo`"+` // 3 and 4

func f() { fmt.Println(text) } // 5

var _ = 0
`)))
}

const budgetsTree = `-- docs/budgets.yaml --
mechanism: 4
function: 3
test: 5
missed: {}
-- chapters/01-a/watch/watch.go --
package watch

func short() {
}

func other() {
}
-- chapters/01-a/exercises/1-x/exercise.go --
package x

func a() {
}

func b() {
}

func c() {
}
`

func TestBudgets(t *testing.T) {
	long := func(name string, lines int) string {
		return "func " + name + "() {" + strings.Repeat("\n", lines-1) + "}\n"
	}
	for name, c := range map[string]struct{ archive, want string }{
		"kept":    {budgetsTree, "chapters/01-a: the mechanism has 5 lines of code, and its budget is 4"},
		"named":   {strings.Replace(budgetsTree, "missed: {}", "mechanisms: {01-a: 5}\nmissed: {}", 1), ""},
		"excused": {strings.Replace(budgetsTree, "missed: {}", "missed: {01-a: it has two ends}", 1), ""},
		"excused without need": {strings.Replace(budgetsTree, "missed: {}", "missed: {01-a: it has two ends, 02-b: no}",
			1), "excuses 02-b, which keeps its budget"},
		"a harness larger than the mechanism": {strings.Replace(budgetsTree, "missed: {}",
			"missed: {01-a: it has two ends}", 1) +
			"-- chapters/01-a/watch/watchtest/suite.go --\npackage watchtest\n" + strings.Repeat("var _ = 1\n", 5),
			"has 6 lines of code, more than the mechanism's 5"},
		"a harness below a suite": {strings.Replace(budgetsTree, "missed: {}",
			"missed: {01-a: it has two ends}", 1) +
			"-- chapters/01-a/watch/watchtest/world/world.go --\npackage world\n" + strings.Repeat("var _ = 1\n", 5),
			"has 6 lines of code, more than the mechanism's 5"},
		"a long function": {budgetsTree + "-- internal/a/a.go --\npackage a\n\n" + long("f", 4),
			"internal/a/a.go:3: f has 4 lines, and the budget is 3"},
		"a test may be longer": {strings.Replace(budgetsTree, "missed: {}", "missed: {01-a: it has two ends}", 1) +
			"-- internal/a/a_test.go --\npackage a\n\n" + long("TestF", 5), ""},
		"but not as long as it likes": {budgetsTree + "-- internal/a/a_test.go --\npackage a\n\n" + long("TestF", 6),
			"TestF has 6 lines, and the budget is 5"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, budgetsCheck, tree(t, c.archive))
			if c.want == "" {
				require.Empty(t, got)
			}
			require.Contains(t, got, c.want)
		})
	}
}

func TestShape(t *testing.T) {
	archive := budgetsTree + `-- docs/claims.yaml --
chapters: [01-a]
claims:
  - id: B-01
    chapters: [01-a]
    claim: x
    verdict: wrong
-- chapters/01-a/README.md --
# 01 A

Builds on: nothing. Reading: 12 minutes. Running: 1 minute.
-- chapters/01-a/step1_list.go --
package main
-- chapters/01-a/claims_test.go --
package main

func TestX(t *testing.T) {}
-- solutions/01-a/1-x/wrong/belief.go --
package x
-- solutions/01-a/1-x/second-author.txt --
first: 2 of 6 wrong passed, 0 of 2 right refused
second: 0 of 6 wrong passed, 0 of 2 right refused
`
	tr := tree(t, archive)
	require.Contains(t, run(t, shapeCheck, tr), "docs/shape.md: differs from the chapters")
	_, err := shapeCheck.Fix(t.Context(), tr)
	require.NoError(t, err)
	require.Empty(t, run(t, shapeCheck, tr))
	text, err := tr.Read(shapeFile)
	require.NoError(t, err)
	require.Contains(t, string(text), "| 01-a | 12 | 11 | 0 | 5 | 0 | 2 | 1 | 1 | 1 | 1 | 1 | 2 → 0 | ? | ? |")

	// What was measured by hand stays.
	_, err = tr.Write(shapeFile, []byte(strings.Replace(string(text), "| ? | ? |", "| 24 | 60 |", 1)))
	require.NoError(t, err)
	require.Empty(t, run(t, shapeCheck, tr))
}
