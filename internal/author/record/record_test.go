package record

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

const page = "# A\n\n<!-- recorded: go run ./a -->\n```text\nold\n```\n\n````md\n<!-- recorded: in an example -->\n" +
	"```text\n```\n````\n\n<!-- recorded: X=1 go run ./a -v from \"two\" to \"three\" -->\n```text\n```\nend\n"

func TestBlocks(t *testing.T) {
	blocks, err := Blocks("a.md", []byte(page))
	require.NoError(t, err)
	require.Len(t, blocks, 2)
	require.Equal(t, "go run ./a", blocks[0].Command)
	require.Equal(t, "old\n", blocks[0].Content)
	require.Equal(t, 3, blocks[0].Line)
	require.Equal(t, "X=1 go run ./a -v", blocks[1].Command)

	part, err := blocks[1].Part("one\ntwo\nand\nthree\nfour\n")
	require.NoError(t, err)
	require.Equal(t, "two\nand\nthree\n", part)
	_, err = blocks[1].Part("one\ntwo\n")
	require.ErrorContains(t, err, `printed no line with "three"`)

	out := string(Rewrite([]byte(page), blocks, []string{"new\n", part}))
	require.Contains(t, out, "```text\nnew\n```\n")
	require.Contains(t, out, "to \"three\" -->\n```text\ntwo\nand\nthree\n```\nend\n")

	_, err = Blocks("a.md", []byte("<!-- recorded: x -->\n\ntext\n"))
	require.ErrorContains(t, err, "a.md:1: no ```text block")
	_, err = Blocks("a.md", []byte("<!-- recorded: x -->\n```text\n"))
	require.ErrorContains(t, err, "does not end")
}

func TestFindByChapter(t *testing.T) {
	root := t.TempDir()
	for _, f := range []string{"chapters/01-a/README.md", "chapters/01-a/UPSTREAM.md", "chapters/02-b/README.md",
		"docs/images/01-a.txt", "docs/x.md"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, f)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, f), []byte("<!-- recorded: x -->\n```text\n```\n"), 0o644))
	}
	all, err := Find(root)
	require.NoError(t, err)
	require.Len(t, all, 5)
	some, err := Find(root, "01")
	require.NoError(t, err)
	require.Len(t, some, 3)
}

func TestCompare(t *testing.T) {
	for _, same := range [][2]string{
		{"took 3 ms", "took 1.25 s"},
		{"  < ADDED    black  resourceVersion 1336, 3 ms after", "  < ADDED black resourceVersion 9, 12 ms after"},
		{"> GET /api/v1/namespaces/scratch-01-vkme4z/configmaps",
			"> GET /api/v1/namespaces/scratch-01-buhfq4/configmaps"},
		{"finalizers [scratch.example.com/machine.mhcfve]", "finalizers [scratch.example.com/machine.wgrtn2]"},
		{`{"apiVersion":"scratch-10-4 ...(51 more)... "}`, `{"apiVersion":"scratch-10-w ...(51 more)... "}`},
		{"uid 6f1c2a34-1111-2222-3333-444455556666", "uid 00000000-aaaa-bbbb-cccc-dddddddddddd"},
		{"only if uid=70b5c487… resourceVersion=394", "only if uid=beefbeef… resourceVersion=11755"},
		{"< 1bc\\r\\n", "< fe\\r\\n"},
		{"< 0a 05 41 44 44  ..", "< 0b 06 db e5 44  .."},
		{"   > a long line that\n   > wraps=1 here", "   > a long line\n   > that wraps=22222 here"},
		{"at 2026-11-21T15:00:00Z", "at 2027-01-02T01:02:03Z"},
	} {
		require.Empty(t, Compare(same[0], same[1]))
	}
	require.Equal(t, `recorded: "< DELETED b", now: "< MODIFIED b"`,
		Compare("x 1\n< DELETED b\ny", "x 2\n< MODIFIED b\ny"))
	require.Equal(t, `recorded: "two", now: "(the end)"`, Compare("one\ntwo\n", "one\n"))
	require.NotEmpty(t, Compare("< 0\\r\\n", "< 1a\\r\\n"), "the last chunk is not a size")
}

func TestRun(t *testing.T) {
	out, err := Run(context.Background(), t.TempDir(), "A=1 go env NONSENSE_UNSET")
	require.NoError(t, err)
	require.Equal(t, "\n", out)
	_, err = Run(context.Background(), t.TempDir(), "go nonsense")
	require.ErrorContains(t, err, "unknown command")
}

func TestCleanDropsProgress(t *testing.T) {
	require.Equal(t, "04-store: a store\nDone in 4.2 s; it\n  Indented  2s\n",
		clean("04-store: a store  \nStarting the control plane  2s  starting etcd\n"+
			"Compiling  1 of 2 packages  1m2s\nDone in 4.2 s; it\n  Indented  2s\n"))
}

func TestRunAllRunsEachOnce(t *testing.T) {
	blocks := []Block{{Command: "go env GOOS"}, {Command: "go nonsense"}, {Command: "go env GOOS"},
		{Command: "go env GOARCH"}}
	var ran []string
	out := RunAll(context.Background(), t.TempDir(), blocks, func(c string, _ time.Duration) { ran = append(ran, c) })
	require.Len(t, ran, 3)
	require.Equal(t, runtime.GOOS+"\n", out["go env GOOS"].Text)
	require.Error(t, out["go nonsense"].Err)
}

// Recordings show kube-apiserver.
func TestTheBooksServerIsNotRecorded(t *testing.T) {
	t.Setenv("CLUSTER", "book")
	_, err := Share(t.Context(), []Block{{Command: "go run ./chapters/01-raw-watch"}}, term.Quiet())
	require.ErrorContains(t, err, "unset CLUSTER")
}
