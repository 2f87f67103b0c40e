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
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof/overlay"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// overlaidEnv says that this test binary was built with solutions in the place of the exercises.
const overlaidEnv = "MINE_OVERLAID"

// Run builds the test's binary anew, under the race detector if it is there now, with solutions laid over the stubs of
// its chapter's exercises and of those of earlier chapters that its folder imports, and runs test in that one. others
// names solutions that are not the reference, by the exercise's folder: a wrong one, {"1-index": "replace-merges"}, or
// what a learner has after a stage, {"1-index": "partial/stage1"}. The key of one of another chapter has that chapter's
// folder, too, {"04-store/1-index": "replace-merges"}. Call it in chapters/NN-name/mine.
func Run(t *testing.T, others map[string]string, test func()) {
	t.Helper()
	if os.Getenv(overlaidEnv) != "" {
		test()
		return
	}
	cluster.Shared(t) // one control plane for this binary and the one that it starts
	root, err := repo.Root()
	require.NoError(t, err)
	here, err := os.Getwd()
	require.NoError(t, err)
	text, err := json.Marshal(map[string]any{"Replace": overlaid(t, root, here, others)})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	arguments := []string{"test", "-count=1", "-overlay", file, "-run", "^" + t.Name() + "$"}
	if testkit.Raced {
		arguments = append(arguments, "-race")
	}
	cmd := exec.CommandContext(t.Context(), "go", append(arguments, ".")...)
	cmd.Env = append(os.Environ(), overlaidEnv+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// overlaid gives a solution for each exercise that mine, a folder, may stand on: by the path of the stub.
func overlaid(t *testing.T, root, mine string, others map[string]string) map[string]string {
	chapter := filepath.Base(filepath.Dir(mine))
	references, err := filepath.Glob(filepath.Join(root, "solutions", chapter, "*", "exercise.go"))
	require.NoError(t, err)
	require.NotEmpty(t, references, "the chapter's solutions")
	for _, earlier := range imported(t, mine) {
		reference := filepath.Join(root, "solutions", earlier, "exercise.go")
		if !slices.Contains(references, reference) {
			references = append(references, reference)
		}
	}
	left, replace := maps.Clone(others), map[string]string{}
	var names []string
	for _, solution := range references {
		of, slug := filepath.Split(filepath.Dir(solution))
		name := slug
		if of := filepath.Base(of); of != chapter {
			name = of + "/" + slug
		}
		names = append(names, name)
		file := filepath.Join(root, "chapters", filepath.Base(of), "exercises", slug, "exercise.go")
		if replace[file] = solution; others[name] != "" {
			replace[file] = merged(t, filepath.Dir(solution), others[name])
			delete(left, name)
		}
	}
	require.Empty(t, left, "no exercise has that name; there are %s", strings.Join(names, ", "))
	return replace
}

// exercisePath is what an exercise is imported as.
var exercisePath = regexp.MustCompile(`/chapters/([^/]+)/exercises/([^/]+)$`)

// imported are the exercises that the files of a folder import: 04-store/1-index.
func imported(t *testing.T, folder string) (exercises []string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range parsed.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if m := exercisePath.FindStringSubmatch(path); m != nil {
				exercises = append(exercises, m[1]+"/"+m[2])
			}
		}
	}
	return exercises
}

// merged writes the program that a solution and what it is laid over make, and returns its path.
func merged(t *testing.T, dir, name string) string {
	merge := wrongOne
	if strings.HasPrefix(name, "partial/") {
		merge = partialOne
	}
	m, err := merge(t, dir, name)
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "exercise.go")
	require.NoError(t, os.WriteFile(out, m.Source, 0o600))
	return out
}

// wrongOne is laid over a right solution.
func wrongOne(t *testing.T, dir, name string) (overlay.Merged, error) {
	path := filepath.Join(dir, "wrong", name+".go")
	over, header, err := overlay.ParseOverlay(path, read(t, path))
	require.NoError(t, err)
	right := filepath.Join(dir, header.Base, "exercise.go")
	base, err := overlay.Parse(right, read(t, right))
	require.NoError(t, err)
	return overlay.Merge(base, over, header.Removes)
}

// partialOne is laid over the stub, as the reference gives it: the course's own file may be a reader's by now.
func partialOne(t *testing.T, dir, name string) (overlay.Merged, error) {
	path := filepath.Join(dir, name+".go")
	over, err := overlay.ParsePartial(path, read(t, path))
	require.NoError(t, err)
	reference := filepath.Join(dir, "exercise.go")
	text, err := stub.Generate(read(t, reference))
	require.NoError(t, err)
	base, err := overlay.Parse(reference, text)
	require.NoError(t, err)
	return overlay.Merge(base, over, nil)
}

func read(t *testing.T, file string) []byte {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return text
}
