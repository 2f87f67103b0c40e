package check

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const excerptSource = `-- a.go --
package a

// Next gives the next.
func (d *Decoder[T]) Next() int {
	if d == nil {
		return 0
	}
	return 1
}

const (
	// Small is small.
	Small = 1
)
`

func TestExcerpts(t *testing.T) {
	page := "-- README.md --\n<!-- excerpt: a.go Decoder.Next -->\n'''go\nfunc (d *Decoder[T]) Next() int {\n" +
		"\tif d == nil {\n\t\treturn 0\n\t}\n\treturn 1\n}\n'''\n\n" +
		"<!-- excerpt: a.go Decoder.Next from \"if d\" to \"}\" -->\n'''go\nif d == nil {\n\treturn 0\n}\n'''\n\n" +
		"<!-- excerpt: a.go Small -->\n'''go\nSmall = 1\n'''\n"
	expect(t, excerptsCheck, excerptSource+page)
	expect(t, excerptsCheck, strings.Replace(excerptSource, "return 1", "return 2", 1)+page,
		"README.md:2: the excerpt differs")
	expect(t, excerptsCheck, excerptSource+"-- README.md --\n<!-- excerpt: a.go Gone -->\n'''go\n'''\n",
		"no declaration is named Gone")
	expect(t, excerptsCheck, excerptSource+"-- README.md --\n<!-- excerpt: b.go X -->\n'''go\n'''\n",
		"there is no file b.go")
	expect(t, excerptsCheck, excerptSource+"-- README.md --\n<!-- excerpt: a.go Decoder.Next from \"zzz\" to \"}\" "+
		"-->\n'''go\n'''\n", `no line contains "zzz"`)

	long := "func Long() {\n" + strings.Repeat("\tprintln()\n", 30) + "}\n"
	expect(t, excerptsCheck, "-- l.go --\npackage l\n\n"+long+"-- README.md --\n<!-- excerpt: l.go Long -->\n'''go\n"+long+"'''\n", "the excerpt has 32 lines")
}

func TestExcerptsFix(t *testing.T) {
	tr := tree(t, excerptSource+"-- README.md --\nBefore\n\n<!-- excerpt: a.go Small -->\n'''go\nold\n'''\n\n"+
		"Between\n\n<!-- excerpt: a.go Decoder.Next from \"return 1\" to \"1\" -->\n'''go\n'''\n\nAfter\n")
	wrote, err := excerptsCheck.Fix(context.Background(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{"README.md"}, wrote)
	got, err := tr.Read("README.md")
	require.NoError(t, err)
	require.Equal(t, strings.ReplaceAll("Before\n\n<!-- excerpt: a.go Small -->\n'''go\nSmall = 1\n'''\n\nBetween\n\n"+
		"<!-- excerpt: a.go Decoder.Next from \"return 1\" to \"1\" -->\n'''go\nreturn 1\n'''\n\nAfter\n", "'''", "```"), string(got))
	require.Empty(t, run(t, excerptsCheck, tr))
}
