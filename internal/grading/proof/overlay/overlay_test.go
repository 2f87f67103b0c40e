package overlay

import (
	"fmt"
	"go/format"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// base has what a solution may have: groups, generics, methods, comments in all places, imports that only some use.
const base = `// Package p is an exercise.
package p

import (
	"fmt"
	"io"
	"strings"
)

const (
	a = 1
	b = 2
)

var _ io.Reader = (*strings.Reader)(nil)

// T is a type.
type T[K comparable] struct{ k K } // of one

//solution:begin

// Get gets.
func (t *T[K]) Get() K { return t.k }

//solution:end

func (t T[K]) String() string { return fmt.Sprint(t.k) }

// F reads.
func F(r io.Reader) string {
	//solution:begin
	//todo: read
	//stub: return ""
	return help(r)
	//solution:end
}

func help(io.Reader) string { return strings.ToUpper("x") }
`

const head = "// Misconception: m\n// Caught by: TestF\n// Message: x\n"

// top is what an overlay begins with.
const top = head + "\n//go:build wrong\n\npackage p\n\n"

func parsed(t *testing.T, path, text string) *File {
	t.Helper()
	f, err := Parse(path, []byte(text))
	require.NoError(t, err)
	return f
}

func merge(t *testing.T, over string) (Merged, error) {
	t.Helper()
	f, h, err := ParseOverlay("wrong/x.go", []byte(over))
	require.NoError(t, err)
	return Merge(parsed(t, "exercise.go", base), f, h.Removes)
}

// TestMerge: what is declared takes the place of what has its name, the rest is added, and the imports follow.
func TestMerge(t *testing.T) {
	const changed = "// Removes: T.String, help\n" + top + `import "bytes"

const (
	b = 3
	c = 4
)

// Get has another doc comment.
func (x T[Key]) Get() (k Key) { // and a comment in it
	return k
} // and one after it

// loose

func F(io *bytes.Buffer) string { return io.String() }

type U int
`
	m, err := merge(t, changed)
	require.NoError(t, err)
	const want = `package p

import (
	"bytes"
	"io"
	"strings"
)

const (
	b = 3
	c = 4
)

var _ io.Reader = (*strings.Reader)(nil)

// T is a type.
type T[K comparable] struct{ k K } // of one

// Get has another doc comment.
func (x T[Key]) Get() (k Key) { // and a comment in it
	return k
} // and one after it

func F(io *bytes.Buffer) string { return io.String() }

type U int
`
	require.Equal(t, want, string(m.Source))
	formatted, err := format.Source(m.Source)
	require.NoError(t, err)
	require.Equal(t, want, string(formatted), "a merge of formatted files is formatted")
}

// TestPlace: a line of the merge is found again in the file that it comes from.
func TestPlace(t *testing.T) {
	m, err := merge(t, top+"import \"io\"\n\nfunc help(io.Reader) string {\n\treturn \"here\"\n}\n")
	require.NoError(t, err)
	want := map[string]string{"import (": "wrong/x.go:1", "// F reads.": "exercise.go:29",
		"\treturn help(r)":  "exercise.go:34",
		"\treturn \"here\"": "wrong/x.go:12"}
	for i, line := range strings.Split(string(m.Source), "\n") {
		if place := want[line]; place != "" {
			path, at := m.Place(i + 1)
			require.Equal(t, place, fmt.Sprintf("%s:%d", path, at))
			delete(want, line)
		}
	}
	require.Empty(t, want, string(m.Source))
}

// TestMergeRefuses: an overlay says what it means, and in one way.
func TestMergeRefuses(t *testing.T) {
	for _, test := range []struct{ want, over string }{
		{"wrong/x.go:9: help is as in exercise.go: leave it out",
			top + "// help helps.\nfunc help(io.Reader) string { return strings.ToUpper( /**/ \"x\") }\n"},
		{"wrong/x.go:9: what has no name (init, _)", top + "func init() {}\n"},
		{"wrong/x.go:9: what has no name (init, _)", top + "var _ = 1\n"},
		{`the import of "os" is not used`, top + "import \"os\"\n\nfunc F(os T[int]) string { return os.k }\n"},
		{`wrong/x.go: uses io and does not import "io"`, top + "func help(io.Reader) string { return \"\" }\n"},
		{`io "os" and "io" have one name`, top + "import io \"os\"\n\nfunc help(io.File) string { return \"\" }\n"},
		{"with a dot", top + "import . \"os\"\n\nfunc F() {}\n"},
		{"Removes: gone, and exercise.go has no declaration", "// Removes: F, gone\n" + top},
		{"wrong/x.go:10: F is declared, and Removes: names it", "// Removes: F\n" + top + "func F() {}\n"},
		{"package q, want p", strings.Replace(top, "package p", "package q", 1)},
	} {
		_, err := merge(t, test.over)
		require.ErrorContains(t, err, test.want)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, test := range []struct{ want, text string }{
		{"x.go:11: F is declared a second time, after line 10", top + "\nfunc F() {}\nfunc F() {}\n"},
		{"x.go:9: expected declaration", top + "fun F() {}\n"},
		{"x.go: above its package clause stands not //go:build wrong alone", head + "\npackage p\n"},
		{"x.go: above its package clause stands not //go:build wrong alone",
			head + "\n//go:build wrong && linux\n\npackage p\n"},
	} {
		_, _, err := ParseOverlay("x.go", []byte(test.text))
		require.ErrorContains(t, err, test.want)
	}
}

// TestCut: what is cut out of a whole program merges into it again.
func TestCut(t *testing.T) {
	whole := strings.NewReplacer("b = 2", "b = 2\n\tc = 3", "return t.k }", "panic(1) }", "\t\"fmt\"\n", "\t\"os\"\n",
		"func (t T[K]) String() string { return fmt.Sprint(t.k) }", "func added() { os.Exit(1) } // exits",
		"// F reads.", "// F has another comment.").Replace(base)
	text, err := Cut(parsed(t, "alt/y/exercise.go", base), parsed(t, "a.go", whole),
		Header{Breaks: "s", CaughtBy: "TestF", Message: strings.Repeat("many words ", 14), Base: "alt/y",
			Removes: []string{"old"}})
	require.NoError(t, err)
	require.Equal(t, `// Breaks: s
// Caught by: TestF
// Message: many words many words many words many words many words many words many words many words many words many
// words many words many words many words many words
// Removes: T.String
// Base: alt/y

//go:build wrong

package p

import "os"

const (
	a = 1
	b = 2
	c = 3
)

// Get gets.
func (t *T[K]) Get() K { panic(1) }

func added() { os.Exit(1) } // exits
`, string(text))
	_, h, err := ParseOverlay("wrong/x.go", text)
	require.NoError(t, err)
	require.NoError(t, h.Check())
	require.Equal(t, []string{"T.String"}, h.Removes)
}

func TestCutRefuses(t *testing.T) {
	for _, test := range []struct{ want, whole string }{
		{"a.go is the same program as exercise.go", strings.ReplaceAll(base, "// ", "// other ")},
		{"what has no name (init, _)", base + "\nfunc init() {}\n"},
		{"does it import what it does not use?", strings.Replace(base, "return fmt.Sprint(t.k)", `return ""`, 1)},
		{"package q, want p", strings.Replace(base, "package p", "package q", 1)},
	} {
		_, err := Cut(parsed(t, "exercise.go", base), parsed(t, "a.go", test.whole), Header{})
		require.ErrorContains(t, err, test.want)
	}
}

func TestHeader(t *testing.T) {
	h := ReadHeader([]byte("// Package comment.\n// Breaks: \"Of none\n// the sum is 0.\"\n//Caught by:TestF/x\n" +
		"// Message: a b\n// Removes: A, B.c D\n// Base: alt/x\n\n// Misconception: no\n"))
	require.Equal(t, Header{Breaks: "Of none the sum is 0.", CaughtBy: "TestF/x", Message: "a b",
		Removes: []string{"A", "B.c", "D"}, Base: "alt/x"}, h)
	require.NoError(t, h.Check())
	h.Misconception = "m"
	require.ErrorContains(t, h.Check(), "has both")
	require.ErrorContains(t, Header{Guideline: "S2-01"}.Check(), "for mechanisms")
	require.ErrorContains(t, Header{}.Check(), "lacks Misconception: (or Breaks:), Caught by:, Message:")
	require.Equal(t, "// Misconception: m\n// Caught by: T\n\npackage p\n",
		string(WithHeader([]byte("// Message: x\n// y\n\npackage p\n"), Header{Misconception: "m", CaughtBy: "T"})))
}
