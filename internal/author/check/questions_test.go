package check

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const demoThatAsks = `-- chapters/04-store/main.go --
package main

func demo() lab.Demo {
	return lab.Demo{Title: "a store", Steps: append([]lab.Step{
		{Title: "One", Run: one},
		{Title: "Two", Run: two, Question: "Is it one, " +
			"or two?", Answer: "Two, of §course§."},
	}, more()...)}
}

func more() []lab.Step {
	return []lab.Step{{Title: "Three", Run: three, Question: "Or three?", Answer: "No."}}
}
-- chapters/04-store/UPSTREAM.md --
-- chapters/04-store/README.md --
# 04 Store

**Is it one, or
two?**

<details><summary>Answer</summary>

Two, of course.

</details>

Or three? No.
-- docs/workshop.md --
<!-- questions: go run ./scripts/check -fix questions -->
| when | ask | the answer |
|---|---|---|
| 04, before step 2 | Is it one, or two? | Two, of §course§. |
| 04, before step 3 | Or three? | No. |

The end.
`

func TestQuestions(t *testing.T) {
	expect(t, questionsCheck, demoThatAsks)
	for _, test := range []struct{ name, old, new, want string }{
		{"another question in the lesson", "Or three? No.\n", "Or four? No.\n",
			"main.go:12: the lesson does not ask this"},
		{"another answer in the lesson", "Two, of course.", "One.",
			"main.go:6: the lesson does not ask this, or answers otherwise"},
		{"no answer", `, Answer: "No."`, "", "main.go:12: a question without a question mark, or without an answer"},
		{"another question in a room", "| Or three?", "| Or four?",
			"docs/workshop.md: the questions differ from the demos'"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, demoThatAsks, test.old)
			broken := strings.Replace(demoThatAsks, test.old, test.new, 1)
			if test.name == "no answer" {
				broken = strings.Replace(broken, "| Or three? | No. |", "| Or three? |  |", 1)
			}
			expect(t, questionsCheck, broken, test.want)
		})
	}
	many := strings.Replace(demoThatAsks, `{Title: "One", Run: one},`,
		strings.Repeat(`{Title: "One", Run: one, Question: "Or three?", Answer: "No."},`, 2), 1)
	found, err := questionsCheck.Run(context.Background(), tree(t, many))
	require.NoError(t, err)
	require.Equal(t, "the demo asks 4 questions", found[0].What)
	// A chapter of one layer is asked in the room alone.
	expect(t, questionsCheck, strings.Replace(strings.Replace(demoThatAsks, "UPSTREAM.md", "notes.md", 1),
		"Or three? No.\n", "", 1))
}

func TestQuestionsAreMended(t *testing.T) {
	tr := tree(t, strings.Replace(demoThatAsks, "| 04, before step 3 | Or three? | No. |\n", "", 1))
	wrote, err := questionsCheck.Fix(context.Background(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{workshopFile}, wrote)
	require.Empty(t, run(t, questionsCheck, tr))
}
