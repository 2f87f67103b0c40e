package testrun_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/skips"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/testrun"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// module writes a module of small packages, each with one test file.
func module(t *testing.T, packages map[string]string) string {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"),
		[]byte("module "+repo.Module+"\n\ngo 1.26.0\n"), 0o644))
	for name, body := range packages {
		dir := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		content := "package x\n\nimport (\"os\"; \"testing\")\n\nvar _ = os.Exit\n\n" + body
		require.NoError(t, os.WriteFile(filepath.Join(dir, "x_test.go"), []byte(content), 0o644))
	}
	return root
}

func run(t *testing.T, root string) (testrun.Result, string, error) {
	t.Helper()
	var out strings.Builder
	result, err := testrun.Run(t.Context(), testrun.Options{
		Root: root, Packages: []string{"./..."}, Timeout: time.Minute, Out: &out,
	})
	return result, out.String(), err
}

func TestARunIsCounted(t *testing.T) {
	root := module(t, map[string]string{
		"good":  `func TestA(t *testing.T) {}; func TestQuiet(t *testing.T) { t.Skip("needs minor-version: not here") }`,
		"bad":   `func TestB(t *testing.T) { t.Error("two and two is five") }; func TestC(t *testing.T) {}`,
		"early": `func TestD(t *testing.T) { os.Exit(3) }`,
		"last":  `func TestF(t *testing.T) { go func() { panic("three") }(); select {} }`,
		"typo":  `func TestE(t *testing.T) { undefined() }`,
	})
	result, out, err := run(t, root)
	require.NoError(t, err)
	assert.Equal(t, 2, result.Passed)
	assert.Equal(t, 4, result.Failed, "a failed test, two that took their processes along, and a package that does "+
		"not compile")
	assert.Equal(t, []skips.Skip{{Package: "good", Test: "TestQuiet", Reason: "needs minor-version: not here"}},
		result.Skips)

	assert.Contains(t, out, "two and two is five")
	assert.Contains(t, out, "FAIL  early, in the middle of TestD. What it said is shown")
	assert.Regexp(t, `FAIL  last, in the middle of TestF\. [^\n]+\n      panic: three\n`, out)
	assert.Contains(t, out, "FAIL  typo, outside its tests:")
	assert.Contains(t, out, "undefined: undefined", "what the compiler said")
	assert.Contains(t, out, "ok    good")
	assert.NotContains(t, out, repo.Module+"/good", "packages are named by their path below the module")
	for line := range strings.Lines(out) {
		assert.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), 160, "%q", line)
	}
}

// TestAgain: what failed runs once more, and nothing else does. What then passes is flaky, and what does not has
// failed.
func TestAgain(t *testing.T) {
	const once = `func TestOnce(t *testing.T) {
	if _, err := os.Stat("was-here"); err == nil {
		%s
	}
	os.WriteFile("was-here", nil, 0o644)
	%s
}`
	root := module(t, map[string]string{
		"good":  fmt.Sprintf(once, `t.Error("it ran twice")`, ""),
		"flaky": fmt.Sprintf(once, `t.Skip("needs minor-version: not here")`, `t.Error("the first time is hard")`),
		"early": fmt.Sprintf(once, "return", "os.Exit(3)"),
		"bad":   `func TestB(t *testing.T) { t.Error("two and two is five") }; func TestC(t *testing.T) {}`,
	})
	var out strings.Builder
	result, err := testrun.Run(t.Context(), testrun.Options{
		Root: root, Packages: []string{"./..."}, Count: 1, Timeout: time.Minute, Out: &out, Again: true,
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"early TestOnce", "flaky TestOnce"}, result.Flaky)
	assert.Equal(t, []int{3, 1}, []int{result.Passed, result.Failed}, "good, early and TestC passed; TestB failed")
	assert.Equal(t, []skips.Skip{{Package: "flaky", Test: "TestOnce", Reason: "needs minor-version: not here"}},
		result.Skips)
	assert.Contains(t, out.String(), "FLAKY OR BROKEN: 3 packages failed")
	assert.NotContains(t, out.String(), "it ran twice")

	out.Reset()
	require.ErrorIs(t, testrun.Report(&out, result, testrun.Ended{Root: root, Provider: "local"}), testrun.ErrFailed)
	assert.Contains(t, out.String(), "FLAKY: flaky TestOnce failed, and then passed")
}

// TestPrograms: a program that a test makes sure of is built before the tests.
func TestPrograms(t *testing.T) {
	root, err := repo.Root()
	require.NoError(t, err)
	for chapter, want := range map[string][]plane.Component{
		"02": {plane.Kubectl}, "11": {plane.Kubectl, plane.KubeControllerManager},
	} {
		packages, err := testrun.Packages(t.Context(), root, chapter, testrun.OnCluster)
		require.NoError(t, err)
		programs, err := testrun.Programs(t.Context(), root, packages)
		require.NoError(t, err)
		assert.Equal(t, want, programs, "chapter "+chapter)
	}
}

// TestSubmissions: a teacher's folder of submissions is none of the project's, whatever is in it.
func TestSubmissions(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                       "module " + repo.Module + "\n\ngo 1.26\n",
		"chapters/01-x/x_test.go":      "package x\n",
		"internal/lab/lab.go":          "package lab\n",
		"scripts/grade/main.go":        "package main\n\nfunc main() {}\n",
		"submissions/anna/01.1.go":     "package decode\n",
		"submissions/anna/01.2.go":     "package follow\n",
		"submissions/ben/mine_test.go": "package mine\n",
	} {
		file := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	packages, err := testrun.Packages(t.Context(), root, "", testrun.ForReaders)
	require.NoError(t, err)
	assert.Equal(t, []string{repo.Module + "/chapters/01-x"}, packages)
}

// TestParts: each package with tests is for readers or for authors.
func TestParts(t *testing.T) {
	root, err := repo.Root()
	require.NoError(t, err)
	of := func(part testrun.Part) []string {
		packages, err := testrun.Packages(t.Context(), root, "", part)
		require.NoError(t, err)
		return packages
	}
	readers, authors := of(testrun.ForReaders), of(testrun.ForAuthors)
	for _, pkg := range readers {
		assert.Contains(t, pkg, "/chapters/")
		assert.NotEqual(t, "mine", path.Base(pkg))
		assert.NotContains(t, authors, pkg)
	}
	for _, short := range []string{"internal/lab", "internal/grading/proof/overlay", "scripts/grade", "internal/faults",
		"chapters/01-raw-watch/mine"} {
		assert.Contains(t, authors, repo.Module+"/"+short)
	}
	assert.Contains(t, readers, repo.Module+"/chapters/01-raw-watch/claims")
	chapter, err := testrun.Packages(t.Context(), root, "01", testrun.ForReaders)
	require.NoError(t, err)
	assert.Contains(t, chapter, repo.Module+"/chapters/01-raw-watch/mine", "a chapter is run whole")
	same, err := testrun.Packages(t.Context(), root, "1", testrun.ForReaders)
	require.NoError(t, err)
	assert.Equal(t, chapter, same)
	for _, wrong := range []string{"4x", "99", "*"} {
		_, err = testrun.Packages(t.Context(), root, wrong, testrun.ForReaders)
		assert.ErrorContains(t, err, `there is no chapter "`+wrong+`"; there are 01 to `)
	}
}

func TestAPatternThatMatchesNothingIsAFailure(t *testing.T) {
	var out strings.Builder
	result, err := testrun.Run(t.Context(), testrun.Options{
		Root: module(t, nil), Packages: []string{"./nowhere"}, Out: &out,
	})
	require.NoError(t, err)
	assert.Positive(t, result.Failed)
	assert.Contains(t, out.String(), "nowhere")
}
