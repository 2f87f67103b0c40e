package proof_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof"
)

// mechanism is a module with one mechanism, which a test looks at, and what it is broken by.
var mechanism = map[string]string{
	"go.mod":                       "module example.com/book\n\ngo 1.26\n",
	"chapters/98-fixture/box/a.go": "package box\n\nfunc Half(n int) int { return n / 2 }\n",
	"chapters/98-fixture/box/a_test.go": `package box

import "testing"

func TestHalf(t *testing.T) {
	t.Run("of four", func(t *testing.T) {
		if Half(4) != 2 {
			t.Errorf("Half(4) is %d, want 2", Half(4))
		}
	})
	t.Run("of none", func(t *testing.T) {
		if Half(0) != 0 {
			t.Error("half of none is some")
		}
	})
}
`,
}

// overlayOf is a broken Half.
func overlayOf(header, body string) string {
	return header + "\n//go:build wrong\n\npackage box\n\nfunc Half(n int) int { " + body + " }\n"
}

const goodHeader = `// Guideline: S2-01
// Misconception: Half is what is left when one is taken away.
// Caught by: TestHalf/of four
// Message: Half(4) is 3
// Base: a.go
`

// book writes the module with one broken mechanism.
func book(t *testing.T, broken string) (root string) {
	root = t.TempDir()
	files := map[string]string{"chapters/98-fixture/box/broken/one-less.go": broken}
	for name, text := range mechanism {
		files[name] = text
	}
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return root
}

// TestBroken: the row says what became of a broken mechanism, and only one that is noticed as its header says is right.
func TestBroken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ overlay, want string }{
		"noticed": {overlayOf(goodHeader, "return n - 1"), ""},
		"noticed, with spaces": {overlayOf(strings.Replace(goodHeader, "of four", "of_four", 1), "return n - 1"),
			""},
		"noticed in another package": {overlayOf(strings.Replace(goodHeader, "// Message:", "// In: box\n// Message:",
			1), "return n - 1"), ""},
		"survives": {overlayOf(goodHeader, "return n >> 1"), "SURVIVES: TestHalf/of four passes"},
		"another message": {overlayOf(goodHeader, "return n - 3"),
			`the header quotes "Half(4) is 3"; what the test says is: `},
		"another test": {overlayOf(strings.Replace(goodHeader, "of four", "of none", 1), "return n - 1"),
			`the header quotes "Half(4) is 3"`},
		"no such test": {overlayOf(strings.Replace(goodHeader, "TestHalf/of four", "TestThird", 1), "return n - 1"),
			"chapters/98-fixture/box has no test TestThird"},
		"does not compile": {overlayOf(goodHeader, "return m"), "undefined: m"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := book(t, c.overlay)
			all, problems := proof.Mechanisms(root, "98-fixture")
			require.Empty(t, problems)
			require.Len(t, all, 1)
			require.Equal(t, "box/broken/one-less", all[0].Name())
			row := all[0].Prove(t.Context(), root)
			require.Equal(t, c.want == "", row.OK, row.Message)
			require.Contains(t, row.Message, c.want)
		})
	}
}

// TestBrokenThatCantBeProven: what keeps a broken mechanism from being proven is said without running anything.
func TestBrokenThatCantBeProven(t *testing.T) {
	t.Parallel()
	good := overlayOf(goodHeader, "return n - 1")
	for name, c := range map[string]struct{ overlay, want string }{
		"no guideline":     {strings.Replace(good, "// Guideline: S2-01\n", "", 1), "lacks Guideline:"},
		"no base":          {strings.Replace(good, "// Base: a.go\n", "", 1), "lacks Base:"},
		"no test":          {strings.Replace(good, "// Caught by: TestHalf/of four\n", "", 1), "lacks Caught by:"},
		"another base":     {strings.Replace(good, "a.go", "b.go", 1), "Base: b.go is no file of the mechanism"},
		"another folder":   {strings.Replace(good, "a.go", "../box/a.go", 1), "is no file of the mechanism"},
		"no constraint":    {strings.Replace(good, "//go:build wrong\n\n", "", 1), "//go:build wrong"},
		"the same":         {strings.Replace(good, "n - 1", "n / 2", 1), "leave it out"},
		"not formatted":    {strings.Replace(good, "n - 1", "n-1", 1), "gofmt -w"},
		"an exercise's":    {strings.Replace(good, "// Message:", "// Breaks: x\n// Message:", 1), "for exercises"},
		"does not parse":   {good + "}", "one-less.go:"},
		"another package":  {strings.Replace(good, "package box", "package bag", 1), "package bag, want box"},
		"removes nothing":  {strings.Replace(good, "// Base", "// Removes: Third\n// Base", 1), "Third"},
		"imports too much": {strings.Replace(good, "\nfunc", "\nimport \"fmt\"\n\nfunc", 1), "is not used"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, problems := proof.Mechanisms(book(t, c.overlay), "98-fixture")
			require.Empty(t, all)
			require.Len(t, problems, 1)
			require.Contains(t, problems[0], c.want)
			require.Contains(t, problems[0], "chapters/98-fixture/box/broken/one-less.go")
		})
	}
}
