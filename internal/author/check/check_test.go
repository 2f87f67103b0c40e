package check

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// tree writes a txtar archive into a temporary folder. In the archive a ' at the beginning of a line stands for ```
// and § for a backtick, so that Markdown fits into a Go string.
func tree(t *testing.T, archive string) *Tree {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		content := strings.ReplaceAll(strings.ReplaceAll(string(f.Data), "'''", "```"), "§", "`")
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(content), 0o644))
	}
	return NewTree(dir)
}

// run gives a check's findings on a tree, one a line, sorted by place.
func run(t *testing.T, c Check, tr *Tree) string {
	t.Helper()
	found, err := c.Run(context.Background(), tr)
	require.NoError(t, err)
	order(found)
	var b strings.Builder
	for _, f := range found {
		require.NotEmpty(t, f.Mend, "a finding says how to mend it: %s", f)
		b.WriteString(f.String() + "\n")
	}
	return b.String()
}

// expect runs a check on a tree and compares the findings: each line of want must be contained in the finding of the
// same place in order.
func expect(t *testing.T, c Check, archive string, want ...string) {
	t.Helper()
	got := run(t, c, tree(t, archive))
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if got == "" {
		lines = nil
	}
	require.Len(t, lines, len(want), "findings:\n%s", got)
	for i, w := range want {
		require.Contains(t, lines[i], w)
	}
}

func TestSelect(t *testing.T) {
	all, err := Select(nil, false)
	require.NoError(t, err)
	quick, err := Select(nil, true)
	require.NoError(t, err)
	require.Less(t, len(quick), len(all))
	for _, c := range quick {
		require.False(t, c.Slow)
	}
	for _, c := range all {
		require.NotEmpty(t, c.Guards, c.Name)
	}
	_, err = Select([]string{"nonsense"}, false)
	require.ErrorContains(t, err, "-list")
}

func TestRunReportsInOrderAndMends(t *testing.T) {
	tr := tree(t, "-- a.go --\npackage  a\n-- README.md --\n[x](missing.md)\n")
	checks, err := Select([]string{"gofmt", "links"}, false)
	require.NoError(t, err)
	var out bytes.Buffer
	n, err := Run(context.Background(), tr, checks, false, &out)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Contains(t, out.String(), "a.go: is not gofmt'ed")
	require.Contains(t, out.String(), "mend: go run ./scripts/check -fix gofmt")
	require.Less(t, strings.Index(out.String(), "gofmt"), strings.Index(out.String(), "missing.md"))

	out.Reset()
	n, err = Run(context.Background(), tr, checks[:1], true, &out)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Contains(t, out.String(), "wrote a.go")
}

func TestFilesLeaveOutWhatGitIgnores(t *testing.T) {
	tr := tree(t, "-- .gitignore --\n/bin/\n-- bin/x.go --\nnonsense\n-- a.txt --\n")
	files, err := tr.Files()
	require.NoError(t, err)
	require.Equal(t, []string{".gitignore", "a.txt"}, files)
}
