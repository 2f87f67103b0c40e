package main

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/check"
)

func TestCreate(t *testing.T) {
	root := t.TempDir()
	require.ErrorContains(t, create(root, "store", ""), "two digits and a name")
	require.ErrorContains(t, create(root, "04-store", "2-index"), "make the chapter first")
	require.NoError(t, create(root, "04-store", ""))
	require.ErrorContains(t, create(root, "04-store", ""), "add to it with -exercise")
	require.ErrorContains(t, create(root, "04-store", "index"), "a digit and a name")
	require.NoError(t, create(root, "04-store", "2-set-valued"))
	require.ErrorContains(t, create(root, "04-store", "2-set-valued"), "is there already")
	require.ErrorContains(t, create(root, "04-store", "2-other"), "exercise 04.2 is there already, as 2-set-valued")
	require.ErrorContains(t, create(root, "04-cache", ""), "chapter 04 is there already, as 04-store")

	for _, file := range []string{"chapters/04-store/main.go", "chapters/04-store/exercises/2-set-valued/exercise_test.go"} {
		source, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		_, err = parser.ParseFile(token.NewFileSet(), file, source, 0)
		require.NoError(t, err)
	}
	require.FileExists(t, filepath.Join(root, "solutions/04-store/1-first/exercise.go"))
	require.FileExists(t, filepath.Join(root, "diagrams/04-store.d2"))
}

// A chapter that nobody has written yet must not pass the checks.
func TestScaffoldIsRefused(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, create(root, "04-store", ""))
	checks, err := check.Select([]string{"lessons"}, false)
	require.NoError(t, err)
	found, err := checks[0].Run(context.Background(), check.NewTree(root))
	require.NoError(t, err)
	files := map[string]bool{}
	for _, f := range found {
		require.Equal(t, "is still as new-chapter made it", f.What, f.File)
		files[f.File] = true
	}
	for _, f := range []string{"chapters/04-store/README.md", "chapters/04-store/main.go", "diagrams/04-store.d2",
		"chapters/04-store/exercises/1-first/HINTS.md", "solutions/04-store/1-first/exercise.go"} {
		require.True(t, files[f], f)
	}
}
