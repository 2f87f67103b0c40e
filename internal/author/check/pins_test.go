package check

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPins(t *testing.T) {
	root, err := FindRoot()
	require.NoError(t, err)
	archive := "-- docs/a.md --\nRuns on k8s.io/client-go v0.30.0.\n"
	for _, file := range []string{"go.mod", "scripts/controlplane/go.mod"} {
		source, err := os.ReadFile(root + "/" + file)
		require.NoError(t, err)
		archive += "-- " + file + " --\n" + string(source)
	}
	tr := tree(t, archive)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} {
		c := exec.Command("git", args...)
		c.Dir = tr.Root
		require.NoError(t, c.Run())
	}
	got := run(t, pinsCheck, tr)
	require.True(t, strings.Contains(got, "docs/a.md:1"), got)
}
