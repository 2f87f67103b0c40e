package check

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/upstreammessages"
)

// TestMessages compares a list of one package, and a page of one row, with the pinned modules.
func TestMessages(t *testing.T) {
	root, err := FindRoot()
	require.NoError(t, err)
	mod, err := os.ReadFile(root + "/go.mod")
	require.NoError(t, err)
	archive := "-- go.mod --\n" + string(mod) + "-- docs/symptoms.md --\n| a | b | c |\n|---|---|---|\n" +
		"| `watch closed before UntilWithoutRetry timeout` | It ended. | `go run ./chapters/01-raw-watch` |\n" +
		"-- " + upstreammessages.ListFile + " --\nleave k8s.io/client-go/... | not here\n" +
		"leave k8s.io/apimachinery/... | not here\nleave sigs.k8s.io/controller-runtime/... | not here\n" +
		"read k8s.io/client-go/tools/watch\n## seldom\nk8s.io/client-go/tools/watch | what nobody says\n"
	found := run(t, messagesCheck, tree(t, archive))
	require.Contains(t, found, upstreammessages.ListFile+
		":6: k8s.io/client-go/tools/watch does not say \"what nobody says\" any more")
	require.Contains(t, found, "k8s.io/client-go/tools/watch/until.go:")
	require.Contains(t, found, `says "UntilWithSync: unable to sync caches: %w", and a log with it finds no row`)
	require.NotContains(t, found, "watch closed before", "it has a row")
	require.NotContains(t, found, "neither read nor left out")
	require.Empty(t, run(t, messagesCheck, tree(t, "-- README.md --\n# A\n")))

	tr := tree(t, archive)
	wrote, err := messagesCheck.Fix(t.Context(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{upstreammessages.ListFile}, wrote)
	text, err := tr.Read(upstreammessages.ListFile)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(text), "\n## seldom\n"), "%s", text)
	wrote, err = messagesCheck.Fix(t.Context(), tr)
	require.NoError(t, err)
	require.Empty(t, wrote, "what is missing is not written")
	wrote, err = messagesCheck.Fix(t.Context(), tree(t, "-- README.md --\n# A\n"))
	require.NoError(t, err)
	require.Empty(t, wrote)

	archive = strings.Replace(archive, "k8s.io/apimachinery v", "example.com/a v", 1)
	_, err = messagesCheck.Run(t.Context(), tree(t, archive))
	require.ErrorContains(t, err, "go.mod does not require k8s.io/apimachinery")
}
