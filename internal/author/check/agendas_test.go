package check

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const agendasTree = `-- chapters/01-a/README.md --
# 01 A

Builds on: nothing. Reading: 17 minutes. Running: 1 minute.
-- docs/workshop.md --
<!-- minutes: x -->
| chapter | reading | running | room |
|---|---|---|---|

<!-- agenda: 10 -->
| from | minutes |
|---|---|
| 0:00 | 4 | a |
| 0:05 | 5 | b |

The end.
`

func TestAgendas(t *testing.T) {
	tr := tree(t, agendasTree)
	require.Equal(t, "docs/workshop.md: the table of minutes differs from the lessons' headers\n"+
		"docs/workshop.md:9: the row begins at 0:05, and the one before it ends at 0:04\n"+
		"docs/workshop.md:10: the plan has 9 minutes and should have 10\n", run(t, agendasCheck, tr))
	wrote, err := agendasCheck.Fix(context.Background(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{"docs/workshop.md"}, wrote)
	page, err := tr.Read("docs/workshop.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "| [01-a](../chapters/01-a/README.md) | 17 min | 1 min | 25 min with one "+
		"exercise |\n\n")
	require.NotContains(t, run(t, agendasCheck, tr), "table of minutes")
}

func TestReadingPaths(t *testing.T) {
	tr := tree(t, `-- chapters/01-a/README.md --
# 01 A

Builds on: nothing. Reading: 57 minutes. Running: 2 minutes.

## Where it breaks

A few words.

### And more

| none |

## Recap
`+strings.Repeat("word ", 900)+`
-- chapters/02-b/README.md --
# 02 B

Builds on: nothing. Reading: 10 minutes. Running: 1 minute.
-- docs/syllabus.md --
<!-- path: some -->
| chapter | minutes | why |
|---|---|---|
| [A](../chapters/01-a/README.md#where-it-breaks) | 9 | x |
| together | | |

<!-- path: whole -->
| chapter | minutes | why |
|---|---|---|
| [A](../chapters/01-a/README.md) | 9 | y |
| [C](../chapters/03-c/README.md) | 9 | z |
| together | | t |
`)
	require.Equal(t, "docs/syllabus.md: the minutes of a reading path differ from the lessons' headers\n"+
		"docs/syllabus.md: no row of the whole path has 02-b\n", run(t, agendasCheck, tr))
	wrote, err := agendasCheck.Fix(context.Background(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{"docs/syllabus.md"}, wrote)
	page, err := tr.Read("docs/syllabus.md")
	require.NoError(t, err)
	for _, row := range []string{"#where-it-breaks) | 3 min | x |\n| together | 3 min | |\n",
		"[A](../chapters/01-a/README.md) | 59 min | y |\n", "| 0 min | z |\n| together | 59 min | t |\n"} {
		require.Contains(t, string(page), row)
	}
	require.Equal(t, "docs/syllabus.md: no row of the whole path has 02-b\n", run(t, agendasCheck, tr))
	require.Equal(t, "1 h 05 min", hours(65))
}

func TestEachChapterHasAWeek(t *testing.T) {
	courses := func(last string) string {
		chapter := func(name string) string {
			return "-- chapters/" + name + "/README.md --\n# X\n\nBuilds on: nothing. Reading: 1 minutes. Running: 1 minute.\n"
		}
		head := "| week | chapter | minutes |\n|---|---|---|\n"
		return chapter("01-a") + chapter("02-b") + "-- docs/courses.md --\n<!-- path: course -->\n" + head +
			"| 1 | [A](../chapters/01-a/README.md) | 2 min |\n\nAnd then:\n\n<!-- path: second -->\n" + head +
			"| 2 | [B](../chapters/" + last + "/README.md) | 2 min |\n"
	}
	require.Empty(t, run(t, agendasCheck, tree(t, courses("02-b"))))
	require.Equal(t, "docs/courses.md: no row of the weeks has 02-b\n", run(t, agendasCheck, tree(t, courses("01-a"))))
}
