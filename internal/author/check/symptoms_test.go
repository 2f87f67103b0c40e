package check

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSymptoms(t *testing.T) {
	tr := tree(t, `-- docs/symptoms.md --
# Symptoms

| what the log says | what happened | where |
|---|---|---|
| `+"`watch closed`"+` | It ended. | [02](../chapters/02-a/README.md) |
| `+"`watch closed`"+` | A bar | is in it. | [02](../chapters/02-a/README.md) |
| nothing | Nothing. | somewhere |
`)
	require.Equal(t, "docs/symptoms.md:6: the row has 4 cells, and a row has 3: what the log says, what happened, "+
		"where; a bar in a text is written \\|\n"+
		"docs/symptoms.md:7: the cell \"where\" has neither a link nor a command that begins with go run or go test\n",
		run(t, symptomsCheck, tr))
	require.Empty(t, run(t, symptomsCheck, tree(t, "-- README.md --\n# A\n")))
}
