package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const goodLesson = `# 01 Raw watch

Builds on: nothing. Reading: 2 minutes. Running: 1 minutes.

## What you build

![x](../../diagrams/01-x.svg)

## Run it

<!-- recorded: go run ./chapters/01-x -->
'''text
hello
'''

## How it works
## Where it breaks
## Claims, checked
## The real thing
## Exercises

[1](exercises/1-decode/)

## Recap
`

func TestLessons(t *testing.T) {
	const at = "-- chapters/01-x/README.md --\n"
	const exercise = "-- chapters/01-x/exercises/1-decode/exercise.go --\npackage decode\n"
	expect(t, lessonsCheck, at+goodLesson+exercise)
	for _, test := range []struct{ name, old, new, want string }{
		{"title", "# 01 Raw", "# Raw", "the title does not begin with the chapter's number"},
		{"header", "Reading: 2 minutes.", "", "the header line is missing"},
		{"minutes", "Reading: 2 minutes.", "Reading: 20 minutes.", "says 20 minutes of reading, and the lesson takes about 1"},
		{"section", "## Recap\n", "", "the sections are"},
		{"order", "## Where it breaks\n## Claims, checked", "## Claims, checked\n## Where it breaks", "the sections are"},
		{"recorded", "<!-- recorded: go run ./chapters/01-x -->\n", "", "no recorded output"},
		{"picture", "../../diagrams/01-x.svg", "x.png", "no diagram"},
		{"exercise", "exercises/1-decode/", "exercises/", "does not name the exercise exercises/1-decode"},
		{"scaffold", "hello", Scaffold, "is still as new-chapter made it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, goodLesson, test.old)
			expect(t, lessonsCheck, at+strings.Replace(goodLesson, test.old, test.new, 1)+exercise, test.want)
		})
	}
	expect(t, lessonsCheck, "-- chapters/01-x/main.go --\npackage main\n", "the chapter has no lesson")
}
