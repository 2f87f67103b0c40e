package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// overlaidEnv says that this test binary was built with the solutions in the place of the exercises.
const overlaidEnv = "MINE_OVERLAID"

// Whoever has written all three exercises sees them at work. The test builds itself anew, with the solutions laid over
// the stubs.
func TestMineOnTheSolutions(t *testing.T) {
	if os.Getenv(overlaidEnv) != "" {
		played(t)
		return
	}
	cluster.Shared(t) // one control plane for this binary and the one that it starts
	root, err := controlplane.Root()
	require.NoError(t, err)
	replace := map[string]string{}
	for _, slug := range []string{"1-resume", "2-paging", "3-backoff"} {
		replace[filepath.Join(root, "chapters/02-list-then-watch/exercises", slug, "exercise.go")] =
			filepath.Join(root, "solutions/02-list-then-watch", slug, "exercise.go")
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(overlay, text, 0o600))
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-overlay", overlay, "-run",
		"^"+t.Name()+"$", ".")
	cmd.Env = append(os.Environ(), overlaidEnv+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// played plays the whole program with three pieces of the reader's.
func played(t *testing.T) {
	out := demotest.Play(t, demo(pieces{true, true, true}))
	for _, conclusion := range []string{
		"yours: state machine, list, delays", "The names are those of a fresh LIST", "Longer after each failure",
		"Your view equals a fresh LIST",
		"FAULT    cut", "FAULT    close", "FAULT    expired",
	} {
		require.Contains(t, out, conclusion)
	}
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: list; the book's: state machine, delays", pieces{list: true}.String())
	require.Len(t, demo(pieces{list: true, machine: true}).Steps, 2)
}
