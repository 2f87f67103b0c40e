package check

import (
	"context"
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
