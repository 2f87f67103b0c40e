package check

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRecordings(t *testing.T) {
	page := func(content string) string {
		return "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- main.go --\npackage main\n\nimport \"fmt\"\n\n" +
			"func main() { fmt.Println(\"took 12 ms\\n< event one\") }\n-- docs/a.md --\n" +
			"<!-- recorded: go run . -->\n'''text\n" + content + "'''\n"
	}
	expect(t, recordingsCheck, page("took 9 ms\n< event one\n"))
	expect(t, recordingsCheck, page("took 9 ms\n< event two\n"),
		`docs/a.md:1: recorded: "< event two", now: "< event one"`)
	expect(t, recordingsCheck, page("took 9 ms\n< event one\n"+strings.Repeat("x", 101)+"\n"),
		"has 101 columns", "recorded:")
	require.Contains(t, run(t, recordingsCheck, tree(t, strings.Replace(page(""), "go run .", "go run ./gone", 1))),
		"`go run ./gone`: exit status 1")
	expect(t, recordingsCheck, "-- docs/a.md --\n<!-- recorded: x -->\n\nno block\n", "no ```text block follows")
}

func TestPictures(t *testing.T) {
	tr := tree(t, "-- docs/images/a.txt --\n<!-- recorded: go run . -->\n< <event>\n-- docs/images/b.svg --\n-- docs/images/c.txt --\nno directive\n")
	require.Equal(t, "docs/images/a.svg: is not what its recorded text gives\ndocs/images/b.svg: has no recorded text docs/images/b.txt\n"+
		"docs/images/c.svg: docs/images/c.txt does not begin with its directive\n", run(t, picturesCheck, tr))
	wrote, err := picturesCheck.Fix(context.Background(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{"docs/images/a.svg"}, wrote)
	require.NotContains(t, run(t, picturesCheck, tr), "a.svg")
}
