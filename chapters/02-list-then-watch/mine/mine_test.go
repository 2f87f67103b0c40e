package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/proof/overlay"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// overlaidEnv says that this test binary was built with solutions in the place of the exercises.
const overlaidEnv = "MINE_OVERLAID"

// Whoever has written all three exercises sees them at work.
// The test builds itself anew, with the solutions laid over the stubs.
func TestMineOnTheSolutions(t *testing.T) {
	if os.Getenv(overlaidEnv) == "" {
		overlaid(t, nil)
		return
	}
	out := demotest.Play(t, demo(pieces{true, true, true}))
	for _, conclusion := range []string{
		"yours: state machine, list, delays", "The names are those of a fresh LIST", "Longer after each failure",
		"Your view equals a fresh LIST",
		"FAULT    cut", "FAULT    close", "FAULT    expired",
	} {
		require.Contains(t, out, conclusion)
	}
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	if os.Getenv(overlaidEnv) == "" {
		overlaid(t, map[string]string{"1-resume": "list-merges", "3-backoff": "no-backoff"})
		return
	}
	demotest.Has(t, demotest.Fails(t, demo(pieces{delays: true})),
		"your Keep waited 0s after failure 1, and at least 200ms are due")
	demotest.Has(t, demotest.Fails(t, demo(pieces{machine: true})),
		"fire-1 was deleted, and 15s later it is still")
}

// overlaid runs the test anew, with the solutions in the place of the stubs, and some of them wrong, by slug.
func overlaid(t *testing.T, wrong map[string]string) {
	cluster.Shared(t) // one control plane for this binary and the one that it starts
	root, err := controlplane.Root()
	require.NoError(t, err)
	replace := map[string]string{}
	for _, slug := range []string{"1-resume", "2-paging", "3-backoff"} {
		solution := filepath.Join(root, "solutions/02-list-then-watch", slug, "exercise.go")
		if name := wrong[slug]; name != "" {
			solution = merged(t, solution, name)
		}
		replace[filepath.Join(root, "chapters/02-list-then-watch/exercises", slug, "exercise.go")] = solution
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-overlay", file, "-run", "^"+t.Name()+"$", ".")
	cmd.Env = append(os.Environ(), overlaidEnv+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// merged writes the program that a wrong solution and the right one make, and returns its path.
func merged(t *testing.T, solution, name string) string {
	right, err := os.ReadFile(solution)
	require.NoError(t, err)
	path := filepath.Join(filepath.Dir(solution), "wrong", name+".go")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	base, err := overlay.Parse(solution, right)
	require.NoError(t, err)
	over, header, err := overlay.ParseOverlay(path, text)
	require.NoError(t, err)
	m, err := overlay.Merge(base, over, header.Removes)
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "exercise.go")
	require.NoError(t, os.WriteFile(out, m.Source, 0o600))
	return out
}

// A delay is neither shorter than what is due nor so long that it grows no more.
func TestRightDelays(t *testing.T) {
	const ms = time.Millisecond
	for _, wrong := range []struct {
		milliseconds []time.Duration
		says         string
	}{
		{[]time.Duration{200, 200, 200, 3000, 0}, "waited 200ms after failure 2, and at least 400ms are due"},
		{[]time.Duration{2000, 2000, 2000, 3000, 0}, "waited 2s after failure 1, and at most 400ms are due"},
		{[]time.Duration{200, 400, 800, 1600, 0}, "waited 1.6s after failure 4, and at least 3s are due"},
		{[]time.Duration{200, 400, 800, 3000, 2000}, "waited 2s after an end in good order, and no delay is due"},
	} {
		waited := slices.Clone(wrong.milliseconds)
		for i := range waited {
			waited[i] *= ms
		}
		require.ErrorContains(t, rightDelays(waited), wrong.says)
	}
	require.NoError(t, rightDelays([]time.Duration{390 * ms, 700 * ms, 900 * ms, 3100 * ms, ms}))
	require.NoError(t, rightDelays([]time.Duration{1800 * ms, 2 * time.Second, 3 * time.Second,
		4 * time.Second, time.Second}),
		"a slow machine")
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: list; the book's: state machine, delays", pieces{list: true}.String())
	require.Len(t, demo(pieces{list: true, machine: true}).Steps, 2)
}
