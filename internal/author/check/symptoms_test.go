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
	tr = tree(t, `-- docs/symptoms.md --
# Symptoms

| what the log says | what happened | where |
|---|---|---|
| `+"`pods \"web\" not found` · `no <thing> here`"+` | It is gone. | [02](../chapters/02-a/README.md) |
| `+"`one thing` in a `other thing`"+` | They stand together. | [02](../chapters/02-a/README.md) |
`)
	said := run(t, symptomsCheck, tr)
	require.Contains(t, said, "docs/symptoms.md:5: \"web\" in `pods \"web\" not found` is a quoted name")
	require.Contains(t, said, "docs/symptoms.md:5: <thing> in `no <thing> here` is no placeholder")
	require.Contains(t, said, "docs/symptoms.md:6: the words \"in a\" before `other thing`")
	require.Empty(t, run(t, symptomsCheck, tree(t, "-- README.md --\n# A\n")))
}
