package twoservers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const table = `# 03

| 01 | not | in | the section |

` + Heading + `

| demo | here | on kube-apiserver | why |
|---|---|---|---|
| 01 | ` + "`7 fields: a \\| b in all`" + ` | ` + "`9 fields: a \\| b \\| c in all`" + ` | it keeps no c. |

## Numbers

| 01 | too | far |
`

func known(t *testing.T) []Difference {
	t.Helper()
	all, err := Differences(table)
	require.NoError(t, err)
	return all
}

func TestDifferences(t *testing.T) {
	assert.Equal(t, []Difference{{Line: 9, Chapter: "01", Here: "7 fields: a | b in all",
		There: "9 fields: a | b | c in all",
		Why:   "it keeps no c."}}, known(t))
	for _, row := range []string{"| 01 | `a` | `b` | |", "| 01 | `a` | b | c |", "| 01 | `a` | c |",
		"| 01 | `` | `b` | c |"} {
		_, err := Differences(strings.Replace(table, "| 01 | `7", row+"\n| 01 | `7", 1))
		assert.ErrorContains(t, err, Page+":9: the row is not", row)
	}
}

// What is compared are the words of each step, wherever a line is broken; what stands before the first is not.
func TestCompare(t *testing.T) {
	const head = "── 1/2 One ─────\n   > GET /a\n"
	const two = "── 2/2 Two ──\n   = done in 3 ms\n"
	const mend = "   mend chapters/03-watch-server/apiserver, or say why in " + Page + `, "` + Heading + `"`
	for name, c := range map[string]struct {
		here, there string
		want        []string
	}{
		"the same, but for the known": {
			"the book's\n" + head + "   < 13 fields: a\n   < | b in all\n" + two,
			"kube-apiserver\n" + head + "   < 4 fields:\n   < a | b | c in all\n" + two, nil},
		"another word": {
			head + "   < 13 fields: a | b in all\n" + two,
			head + "   < 13 fields: a | b | c in all\n" + strings.Replace(two, "done", "over", 1),
			[]string{"01, 2/2 Two\n   kube-apiserver: \"= over in 3 ms\", chapter 03's server: \"= done in 3 ms\"\n" +
				mend}},
		"a known one that is gone": {
			head + "   < 13 fields: a | b | c in all\n" + two,
			head + "   < 13 fields: a | b | c in all\n" + two,
			[]string{Page + `:9: on chapter 03's server 01 does not print "7 fields: a | b in all": the row goes, or its ` +
				`text is another`,
				"01, 1/2 One\n   kube-apiserver: \"[7 fields: a | b in all]\", chapter 03's server: " +
					"\"< 13 fields: a | b | c in all\"\n" + mend}},
		"a known one that is other than its row says": {
			head + "   < 13 fields: a | b in all\n" + two,
			head + "   < 13 fields: a | b | d in all\n" + two,
			[]string{Page + `:9: on kube-apiserver 01 does not print "9 fields: a | b | c in all": the row goes, or its ` +
				`text is another`,
				"01, 1/2 One\n   kube-apiserver: \"< 13 fields: a | b | d in all\", chapter 03's server: " +
					"\"[7 fields: a | b in all]\"\n" + mend}},
		"a step less": {head, head + two, []string{"01 has 1 steps on chapter 03's server and 2 on kube-apiserver"}},
	} {
		assert.Equal(t, c.want, Compare("01", c.here, c.there, known(t)), name)
	}
	assert.Empty(t, Compare("02", head, head, known(t)), "a row is a chapter's")
}

// A text is settled as often as it is there, in a line and over the ends of lines, and the lines around it stay.
func TestSettle(t *testing.T) {
	for _, c := range []struct{ step, text, want string }{
		{"a list\n", "a small list", ""},
		{"one line\n  a small list\nrest of it\n", "a small list", "one line\n[row]\nrest of it\n"},
		{"one line\nx a small list y a small\n   list z\nrest of it\n", "a small list",
			"one line\nx\n[row]\ny\n[row]\nz\nrest of it\n"},
		{"one line\na small\nlist a\nsmall list\n", "a small list", "one line\n[row]\n[row]\n"},
		{"uid 1234\n1a2b with 12 ends\nrest of it\n", "uid [...] ends", "[row]\nrest of it\n"},
		{"  > a b\n  > c\n", "a b", "[row]\n  > c\n"},
		{"no line feed", "feed", "noline\n[row]\n"},
	} {
		got, was := Difference{Here: "row"}.settle(c.step, c.text)
		assert.Equal(t, c.want != "", was, c.step)
		if c.want == "" {
			c.want = c.step
		}
		assert.Equal(t, c.want, got)
	}
}
