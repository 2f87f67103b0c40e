package bodies

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of four functions two are written.
func TestWritten(t *testing.T) {
	const reference = "package p\n\ntype T[K any] struct{}\n\n" +
		"func (t *T[K]) Put(k K) {\n\t//solution:begin\n\t//todo: put\n\tprintln(k)\n\t//solution:end\n}\n\n" +
		"func (t T[K]) Get() {\n\t//solution:begin\n\t//todo: get\n\tprintln(1)\n\t//solution:end\n}\n\n" +
		"func Put() int {\n\t//solution:begin\n\t//stub: return 0\n\treturn 1\n\t//solution:end\n}\n\n" +
		"func Gone() {\n\t//solution:begin\n\tprintln(1)\n\t//solution:end\n}\n"
	const mine = "package p\n\ntype T[K any] struct{}\n\nfunc (q *T[E]) Put(k E) { println(k, k) }\n\n" +
		"func (q *T[E]) Get() { /* later */\n}\n\nfunc Put() int { return 2 }\n"
	root := t.TempDir()
	write := func(text string, path ...string) {
		file := filepath.Join(append([]string{root}, path...)...)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	write(reference, "solutions", "01-x", "1-a", "exercise.go")
	write(mine, "chapters", "01-x", "exercises", "1-a", "exercise.go")
	for function, want := range map[string]bool{"T.Put": true, "T.Get": false, "Put": true, "Gone": false} {
		got, err := Written(root, "01-x", "1-a", function)
		require.NoError(t, err)
		require.Equal(t, want, got, function)
	}

	_, err := Written(root, "01-x", "1-a", "T.None")
	require.ErrorContains(t, err, "the stub of 01-x/1-a has no function T.None")
	_, err = Written(root, "01-x", "2-b", "Put")
	require.ErrorIs(t, err, os.ErrNotExist)
}
