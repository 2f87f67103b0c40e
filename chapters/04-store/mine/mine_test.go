package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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
		"yours: store, index of sets, detector", "finds in your store is what a fresh LIST of the server has",
		"has what the server's objects say", "~ carrot: soup; flour: cake; rye: bread; salt: soup", "received by baker", "knows of a write",
	} {
		require.Contains(t, out, conclusion)
	}
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	if os.Getenv(overlaidEnv) == "" {
		overlaid(t, map[string]string{"1-index": "deletes-from-the-items", "2-sets": "union",
			"3-mutation": "pointer-kept-for-comparison"})
		return
	}
	demotest.Has(t, demotest.Fails(t, demo(pieces{store: true})), "your store finds:", "make grade EX=04.1 says more")
	demotest.Has(t, demotest.Fails(t, demo(pieces{sets: true})), "by the API server's objects it is:",
		"make grade EX=04.2 says more")
	demotest.Has(t, demotest.Fails(t, demo(pieces{detector: true})), "make grade EX=04.3 says more")
}

// overlaid runs the test anew, with the solutions in the place of the stubs, and some of them wrong, by slug.
func overlaid(t *testing.T, wrong map[string]string) {
	cluster.Shared(t) // one control plane for this binary and the one that it starts
	root, err := controlplane.Root()
	require.NoError(t, err)
	replace := map[string]string{}
	for _, slug := range []string{"1-index", "2-sets", "3-mutation"} {
		solution := filepath.Join(root, "solutions/04-store", slug, "exercise.go")
		if name := wrong[slug]; name != "" {
			solution = merged(t, solution, name)
		}
		replace[filepath.Join(root, "chapters/04-store/exercises", slug, "exercise.go")] = solution
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

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: index of sets; the book's: store, detector", pieces{sets: true}.String())
	require.Len(t, demo(pieces{sets: true, store: true}).Steps, 2)
}
