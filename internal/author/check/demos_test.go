package check

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab/contents"
)

// storeDemo says what the demo of the tree below can play. Its faults stand beside its steps, and one asks, too.
func storeDemo() contents.Contents {
	return contents.Contents{
		Steps: []contents.Step{
			{Number: 1, Title: "One"},
			{Number: 2, Title: "Two", Question: "Is it one, or two?", Answer: "Two, of `course`."},
			{Number: 3, Title: "Three", Question: "Or three?", Answer: "No."},
		},
		Faults: []contents.Fault{
			{Name: "gone", Steps: []contents.Step{{Title: "Lose it", Question: "Is it there?", Answer: "No."}}},
			{Name: "late", Steps: []contents.Step{{Title: "Wait"}}},
		},
	}
}

// demosOf gives a tree these demos.
func demosOf(tr *Tree, demos map[string]Demo) *Tree {
	tr.Demos = func(context.Context) map[string]Demo { return demos }
	return tr
}

const demoThatAsks = `-- chapters/03-server/README.md --
-- chapters/04-store/UPSTREAM.md --
-- chapters/04-store/README.md --
# 04 Store

**Is it one, or
two?**

<details><summary>Answer</summary>

Two, of course.

</details>

Or three? No. §go run ./chapters/04-store -fault gone§, §go run ./chapters/04-store -fault '2 gone'§,
§go run ./chapters/05-later -fault x§.
-- docs/workshop.md --
<!-- plays: x -->
| chapter | ask | steps | steps | fault |
|---|---|---|---|---|
| 04 | why? | 1, 2 | 3 | §late§ |

<!-- questions: go run ./scripts/check -fix demos -->
| when | ask | the answer |
|---|---|---|
| 04, before step 2 | Is it one, or two? | Two, of §course§. |
| 04, before step 3 | Or three? | No. |

The end.
`

func TestDemos(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"as it is", "", "", ""},
		{"another question in the lesson", "Or three? No.", "Or four? No.",
			"chapters/04-store/main.go: the lesson does not ask what step 3 asks, or answers otherwise\n"},
		{"another answer in the lesson", "Two, of course.", "One.",
			"chapters/04-store/main.go: the lesson does not ask what step 2 asks, or answers otherwise\n"},
		{"another question in a room", "| Or three?", "| Or four?",
			"docs/workshop.md: the questions differ from the demos'\n"},
		{"a step that counts the faults", "04, before step 2", "04, before step 4",
			"docs/workshop.md: the questions differ from the demos'\n"},
		{"a fault that is gone", "-fault gone", "-fault went",
			"chapters/04-store/README.md:12: `go run ./chapters/04-store -fault went`: there is no fault went\n"},
		{"no row", "| 04 | why?", "| 05 | why?", "docs/workshop.md: no row says what a room plays of 04-store\n"},
		{"a step too many", "| 1, 2 | 3 |", "| 1, 2 | 3, 4 |", "docs/workshop.md:4: there is no step 4\n"},
		{"step 0", "| 1, 2 | 3 |", "| 0, 2 | 3 |", "docs/workshop.md:4: there is no step 0\n"},
		{"a fault that is none", "| §late§ |", "| §early§ |", "docs/workshop.md:4: there is no fault early\n"},
		{"a row without steps", "| 1, 2 | 3 |", "| all | none |",
			"docs/workshop.md:4: the row does not end in steps, steps and a fault: | 1, 2 | 3, 4 | `name` |\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, demoThatAsks, test.old)
			tr := tree(t, strings.Replace(demoThatAsks, test.old, test.new, 1))
			demosOf(tr, map[string]Demo{"04-store": {storeDemo(), nil}})
			require.Equal(t, test.want, run(t, demosCheck, tr))
		})
	}
}

func TestDemosThemselves(t *testing.T) {
	for _, test := range []struct {
		name    string
		breaks  func(*contents.Contents)
		old     string
		new     string
		finding string
	}{
		{"no answer", func(c *contents.Contents) { c.Steps[2].Answer = "" }, "| No. |", "|  |",
			"step 3 has a question without a question mark, or without an answer"},
		{"no question", func(c *contents.Contents) { c.Steps[2].Question = "" },
			"| 04, before step 3 | Or three? | No. |\n", "",
			"step 3 has a question without a question mark, or without an answer"},
		{"many", func(c *contents.Contents) { c.Steps = append(c.Steps, c.Steps[2], c.Steps[2]) },
			"| No. |\n", "| No. |\n" + strings.Repeat("| 04, before step 3 | Or three? | No. |\n", 2),
			"the demo asks 4 questions"},
	} {
		t.Run(test.name, func(t *testing.T) {
			demo := storeDemo()
			test.breaks(&demo)
			require.Contains(t, demoThatAsks, test.old)
			tr := tree(t, strings.Replace(demoThatAsks, test.old, test.new, 1))
			require.Equal(t, "chapters/04-store/main.go: "+test.finding+"\n",
				run(t, demosCheck, demosOf(tr, map[string]Demo{"04-store": {demo, nil}})))
		})
	}
	// A chapter of one layer is asked in the room alone.
	oneLayer := strings.Replace(strings.Replace(demoThatAsks, "UPSTREAM.md", "notes.md", 1), "Or three? No. ", "", 1)
	require.Empty(t, run(t, demosCheck, demosOf(tree(t, oneLayer), map[string]Demo{"04-store": {storeDemo(), nil}})))
}

// The numbers are those of the demo's steps, also where a fault asks something and stands in the same file.
func TestQuestionsAreMended(t *testing.T) {
	rows := "| 04, before step 2 | Is it one, or two? | Two, of §course§. |\n| 04, before step 3 | Or three? | No. |\n"
	tr := demosOf(tree(t, strings.Replace(demoThatAsks, rows, "| 04, before step 7 | Or three? | No. |\n", 1)),
		map[string]Demo{"04-store": {storeDemo(), nil}})
	wrote, err := demosCheck.Fix(context.Background(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{workshopFile}, wrote)
	require.Empty(t, run(t, demosCheck, tr))
	page, err := tr.Read(workshopFile)
	require.NoError(t, err)
	require.Contains(t, string(page), strings.ReplaceAll(rows, "§", "`")+"\nThe end.\n")
}

func TestADemoThatDoesNotAnswer(t *testing.T) {
	tr := demosOf(tree(t, demoThatAsks), map[string]Demo{"04-store": {Err: errors.New("undefined: step")}})
	require.Contains(t, run(t, demosCheck, tr),
		"chapters/04-store/main.go: the demo does not say what it can play: undefined: step\n")
	_, err := demosCheck.Fix(context.Background(), tr)
	require.ErrorContains(t, err, "undefined: step", "the questions of the others would be all that is left")
}

// A demo is a program that says what it can play.
func TestDemosAreAsked(t *testing.T) {
	tr := tree(t, `-- go.mod --
module example.com/m

go 1.26
-- chapters/04-store/main.go --
package main

import (
	"fmt"
	"os"
)

func main() { fmt.Printf("{\"chapter\": %q}", fmt.Sprint(os.Args[1:])) }
-- chapters/05-broken/main.go --
package main

func main() { undefined() }
`)
	demos := tr.Demos(t.Context())
	require.NoError(t, demos["04-store"].Err)
	require.Equal(t, "[-list -json]", demos["04-store"].Chapter)
	require.ErrorContains(t, demos["05-broken"].Err, "undefined: undefined")
	require.Len(t, tr.Demos(t.Context()), 2)
}
