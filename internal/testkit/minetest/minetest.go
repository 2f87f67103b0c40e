// Package minetest tests a chapter's mine/ on solutions in the place of the reader's exercises.
//
//	func TestMineOnTheSolutions(t *testing.T) {
//		minetest.Run(t, nil, func() {
//			demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true})), "yours: ...")
//		})
//	}
package minetest

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/proof/overlay"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// overlaidEnv says that this test binary was built with solutions in the place of the exercises.
const overlaidEnv = "MINE_OVERLAID"

// Run builds the test's binary anew, with the solutions of its chapter's exercises laid over the stubs, and runs test
// in that one. wrong names wrong solutions, by the exercise's folder: {"1-index": "replace-merges"}; the other
// exercises get their reference. Call it in chapters/NN-name/mine.
func Run(t *testing.T, wrong map[string]string, test func()) {
	t.Helper()
	if os.Getenv(overlaidEnv) != "" {
		test()
		return
	}
	cluster.Shared(t) // one control plane for this binary and the one that it starts
	file := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(file, overlaid(t, wrong), 0o600))
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-overlay", file, "-run", "^"+t.Name()+"$", ".")
	cmd.Env = append(os.Environ(), overlaidEnv+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// overlaid is what -overlay reads: a solution for each exercise of the chapter.
func overlaid(t *testing.T, wrong map[string]string) []byte {
	root, err := controlplane.Root()
	require.NoError(t, err)
	here, err := os.Getwd()
	require.NoError(t, err)
	chapter := filepath.Base(filepath.Dir(here))
	references, err := filepath.Glob(filepath.Join(root, "solutions", chapter, "*", "exercise.go"))
	require.NoError(t, err)
	require.NotEmpty(t, references, "the chapter's solutions")
	left, replace := maps.Clone(wrong), map[string]string{}
	for _, solution := range references {
		slug := filepath.Base(filepath.Dir(solution))
		stub := filepath.Join(root, "chapters", chapter, "exercises", slug, "exercise.go")
		if replace[stub] = solution; wrong[slug] != "" {
			replace[stub] = merged(t, filepath.Dir(solution), wrong[slug])
			delete(left, slug)
		}
	}
	require.Empty(t, left, "no exercise has that name; there are %s",
		strings.Join(slices.Sorted(maps.Keys(replace)), ", "))
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	return text
}

// merged writes the program that a wrong solution and the one that it is laid over make, and returns its path.
func merged(t *testing.T, dir, name string) string {
	path := filepath.Join(dir, "wrong", name+".go")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	over, header, err := overlay.ParseOverlay(path, text)
	require.NoError(t, err)
	baseFile := filepath.Join(dir, header.Base, "exercise.go")
	right, err := os.ReadFile(baseFile)
	require.NoError(t, err)
	base, err := overlay.Parse(baseFile, right)
	require.NoError(t, err)
	m, err := overlay.Merge(base, over, header.Removes)
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "exercise.go")
	require.NoError(t, os.WriteFile(out, m.Source, 0o600))
	return out
}
