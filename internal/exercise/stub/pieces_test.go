package stub

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of two exercises one is written, and the line says so.
func TestPieces(t *testing.T) {
	const reference = "package p\n\nfunc F() int {\n\t//solution:begin\n\t//stub: return 0\n\treturn 1\n\t//solution:end\n}\n"
	const untouched = "package p\n\nfunc F() int { return 0 }\n"
	root := t.TempDir()
	write := func(text string, path ...string) {
		file := filepath.Join(append([]string{root}, path...)...)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	for slug, mine := range map[string]string{"1-a": "package p\n\nfunc F() int { return 2 }\n", "2-b": untouched} {
		write(reference, "solutions", "01-x", slug, "exercise.go")
		write(mine, "chapters", "01-x", "exercises", slug, "exercise.go")
	}
	var a, b bool
	pieces := []Piece{{Name: "list", Slug: "1-a", Yours: &a}, {Name: "delays", Slug: "2-b", Yours: &b}}
	require.NoError(t, Look(root, "01-x", pieces...))
	require.True(t, a)
	require.False(t, b)
	require.Equal(t, "yours: list; the book's: delays", Whose(pieces...))
	b = true
	require.Equal(t, "yours: list, delays", Whose(pieces...))

	require.ErrorIs(t, Look(root, "01-x", Piece{Name: "none", Slug: "3-c", Yours: &b}), os.ErrNotExist)
}
