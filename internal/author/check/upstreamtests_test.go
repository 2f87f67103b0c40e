package check

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/upstreamtests"
)

// upstreamTree is a tree with the repository's list of upstream's tests, its page, and what else they stand on.
func upstreamTree(t *testing.T) map[string]string {
	t.Helper()
	root, err := FindRoot()
	require.NoError(t, err)
	files := map[string]string{}
	for _, file := range []string{"go.mod", upstreamtests.ListFile, "chapters/05-reflector/UPSTREAM.md",
		"chapters/07-shared-informer/UPSTREAM.md"} {
		text, err := os.ReadFile(root + "/" + file)
		require.NoError(t, err)
		files[file] = string(text)
	}
	return files
}

// withPage is the tree as `check -fix` leaves it.
func withPage(t *testing.T, files map[string]string) *Tree {
	t.Helper()
	var archive strings.Builder
	for name, text := range files {
		archive.WriteString("-- " + name + " --\n" + text)
	}
	tr := tree(t, archive.String())
	wrote, err := upstreamTestsCheck.Fix(t.Context(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{upstreamtests.Page}, wrote)
	return tr
}

func TestUpstreamTests(t *testing.T) {
	require.Empty(t, run(t, upstreamTestsCheck, withPage(t, upstreamTree(t))))
	for name, c := range map[string]struct {
		file, old, new string
		want           string
	}{
		"a test that is not listed": {upstreamtests.ListFile, "TestBasic ", "TestBasics ",
			"TestBasic of k8s.io/client-go/util/workqueue is not listed"},
		"a test that is gone": {upstreamtests.ListFile, "TestBasic ", "TestBasics ", "has no test TestBasics any more"},
		"a reason that no chapter tells": {"chapters/05-reflector/UPSTREAM.md", "\n| ", "\n| not ",
			"no row of chapters/05-reflector/UPSTREAM.md begins with"},
	} {
		files := upstreamTree(t)
		require.Contains(t, files[c.file], c.old, name)
		files[c.file] = strings.ReplaceAll(files[c.file], c.old, c.new)
		require.Contains(t, run(t, upstreamTestsCheck, withPage(t, files)), c.want, name)
	}
}

func TestUpstreamTestsPage(t *testing.T) {
	tr := withPage(t, upstreamTree(t))
	page, err := tr.Read(upstreamtests.Page)
	require.NoError(t, err)
	_, err = tr.Write(upstreamtests.Page, []byte(strings.Replace(string(page), "| 0 |", "| 1 |", 1)))
	require.NoError(t, err)
	require.Contains(t, run(t, upstreamTestsCheck, tr), "docs/upstream.md: is not what")
	require.Empty(t, run(t, upstreamTestsCheck, tree(t, "-- go.mod --\nmodule x\n")), "a tree that has no list")
}
