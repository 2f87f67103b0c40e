package main

import (
	"context"
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/check"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

func TestMain(m *testing.M) { cluster.Main(m) }

func TestCreate(t *testing.T) {
	root := t.TempDir()
	require.ErrorContains(t, create(root, "store", "", true), "two digits and a name")
	require.ErrorContains(t, create(root, "04-store", "2-index", true), "make the chapter first")
	require.NoError(t, create(root, "04-store", "", true))
	require.ErrorContains(t, create(root, "04-store", "", true), "One exercise more of it: make new-chapter NAME=04-store EX=4-index")
	require.ErrorContains(t, create(root, "04-store", "index", true), "a digit and a name")
	require.NoError(t, create(root, "04-store", "2-set-valued", true))
	require.ErrorContains(t, create(root, "04-store", "2-set-valued", true), "is there already")
	require.ErrorContains(t, create(root, "04-store", "2-other", true),
		"so is its exercise 04.2, as 2-set-valued")
	require.ErrorContains(t, create(root, "04-cache", "", true), "chapter 04 is there already, as 04-store")
	require.ErrorContains(t, create(root, "05-reflector", "2-errors", true), "with its exercise 1")
	require.NoError(t, create(root, "05-reflector", "1-errors", false))
	require.FileExists(t, filepath.Join(root, "chapters/05-reflector/exercises/1-errors/stage1_test.go"))
	require.NoFileExists(t, filepath.Join(root, "solutions/05-reflector/1-first/exercise.go"))

	for _, file := range []string{"chapters/04-store/main.go",
		"chapters/04-store/exercises/2-set-valued/stage1_test.go"} {
		source, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		_, err = parser.ParseFile(token.NewFileSet(), file, source, 0)
		require.NoError(t, err)
	}
	require.FileExists(t, filepath.Join(root, "solutions/04-store/1-first/exercise.go"))
	require.FileExists(t, filepath.Join(root, "diagrams/04-store.d2"))
	require.FileExists(t, filepath.Join(root, "chapters/04-store/mine/main.go"))
	require.NoFileExists(t, filepath.Join(root, "chapters/05-reflector/mine/main.go"))
}

// What is written keeps the limit of 120 columns, as the check budgets has it, so that an author begins without
// findings.
func TestLinesFit(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, create(root, "05-reflector", "", true))
	files, err := check.NewTree(root).Match("**/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		source, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		for line := range strings.Lines(strings.ReplaceAll(string(source), "\t", "    ")) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 120, "%s: %s", file, line)
		}
	}
}

// A chapter that nobody has written yet must not pass the checks, for its marks alone: its rooms and its code are as
// they must be.
func TestScaffoldIsRefused(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, create(root, "04-store", "", true))
	writeStub(t, root, "04-store", "1-first")
	checks, err := check.Select([]string{"lessons", "rooms", "imports", "gofmt"}, false)
	require.NoError(t, err)
	files := map[string]bool{}
	for _, c := range checks {
		found, err := c.Run(context.Background(), check.NewTree(root))
		require.NoError(t, err, c.Name)
		for _, f := range found {
			require.True(t, strings.HasPrefix(f.What, "is still to be written"), "%s: %s: %s", c.Name, f.File, f.What)
			files[f.File] = true
		}
	}
	for _, f := range []string{"chapters/04-store/README.md", "chapters/04-store/UPSTREAM.md",
		"chapters/04-store/main.go",
		"diagrams/04-store.d2", "chapters/04-store/exercises/1-first/HINTS.md",
		"solutions/04-store/1-first/exercise.go"} {
		require.True(t, files[f], f)
	}
}

// writeStub does what scripts/reset -stubs does for a new exercise.
func writeStub(t *testing.T, root, chapter, exercise string) {
	t.Helper()
	reference, err := os.ReadFile(filepath.Join(root, "solutions", chapter, exercise, "exercise.go"))
	require.NoError(t, err)
	text, err := stub.Generate(reference)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(root, "chapters", chapter, "exercises", exercise, "exercise.go"),
		text, 0o600))
}

// What is written compiles, and its tests pass: the demo and mine on an API server, the mechanism on its suite, and the
// exercise's reference on the graded tests. The files stay in a temporary folder, and an overlay lays them over the
// module.
func TestANewChapterRuns(t *testing.T) {
	const chapter = "99-tea"
	root, err := check.FindRoot()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, create(dir, chapter, "", true))
	writeStub(t, dir, chapter, "1-first")
	cluster.Shared(t) // the demo's tests join it

	overlay := overlayOf(t, dir, root)
	inRoot := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	list := inRoot("go", "run", "-overlay", overlay, "./chapters/"+chapter, "-list", "-json")
	asksWhatItsLessonAsks(t, dir, chapter, list)
	for _, folder := range []string{"", "/mine", "/tea"} {
		binary := filepath.Join(dir, "test"+filepath.Base(folder))
		inRoot("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, "./chapters/"+chapter+folder)
		inRoot(binary, "-test.timeout=3m")
	}
	reference := filepath.Join(dir, "solutions", chapter, "1-first", "exercise.go")
	require.NoError(t, os.Rename(reference, filepath.Join(dir, "chapters", chapter, "exercises",
		"1-first", "exercise.go")))
	binary := filepath.Join(dir, "exercise.test")
	inRoot("go", "test", "-c", "-vet=off", "-overlay", overlayOf(t, dir, root), "-o", binary,
		"./chapters/"+chapter+"/exercises/1-first")
	inRoot(binary)
}

// asksWhatItsLessonAsks runs the check demos on a chapter's list of what it can play.
func asksWhatItsLessonAsks(t *testing.T, dir, chapter, list string) {
	t.Helper()
	var demo check.Demo
	require.NoError(t, json.Unmarshal([]byte(list), &demo.Contents))
	require.NotEmpty(t, demo.Steps[0].Question)
	tree := check.NewTree(dir)
	tree.Demos = func(context.Context) map[string]check.Demo { return map[string]check.Demo{chapter: demo} }
	checks, err := check.Select([]string{"demos"}, false)
	require.NoError(t, err)
	found, err := checks[0].Run(t.Context(), tree)
	require.NoError(t, err)
	require.Empty(t, found)
}

// overlayOf writes a file for -overlay that has what is below dir/chapters stand below root/chapters.
func overlayOf(t *testing.T, dir, root string) string {
	t.Helper()
	files, err := check.NewTree(dir).Match("chapters/**")
	require.NoError(t, err)
	replace := map[string]string{}
	for _, f := range files {
		replace[filepath.Join(root, f)] = filepath.Join(dir, f)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(overlay, text, 0o600))
	return overlay
}
