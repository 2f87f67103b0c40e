package minetest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const header = "// Misconception: m\n// Caught by: TestF\n// Message: x\n\n//go:build wrong\n\npackage p\n\n"

// tree has two chapters; mine of the second stands on its own exercise, and on one of two of the first.
var tree = map[string]string{
	"solutions/01-a/1-x/exercise.go":       "package p\n\nfunc F() int { return 1 }\n",
	"solutions/01-a/1-x/wrong/two.go":      header + "func F() int { return 2 }\n",
	"solutions/01-a/2-y/exercise.go":       "package p\n",
	"solutions/02-b/1-x/partial/stage1.go": "//go:build partial\n\npackage p\n\nfunc F() int { return 5 }\n",
	"solutions/02-b/1-x/exercise.go": "package p\n\nfunc F() int { return 3 }\n\n" +
		"func G() int {\n\t//solution:begin\n\t//stub: return 0\n\treturn 6\n\t//solution:end\n}\n",
	"solutions/02-b/1-x/wrong/two.go": header + "func F() int { return 4 }\n",
	"chapters/02-b/mine/main.go":      "package main\n\nimport _ \"m/chapters/02-b/exercises/1-x\"\n",
	"chapters/02-b/mine/pieces.go": "package main\n\nimport (\n\tx \"m/chapters/01-a/exercises/1-x\"\n" +
		"\t\"m/chapters/01-a/exercises/2-y/z\"\n)\n",
}

// Each stub has a solution: the reference, or the wrong one that was named.
func TestOverlaid(t *testing.T) {
	root := t.TempDir()
	for name, text := range tree {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	mine := filepath.Join(root, "chapters", "02-b", "mine")
	for _, test := range []struct {
		others         map[string]string
		earlier, later string // what F returns
	}{
		{nil, "1", "3"},
		{map[string]string{"1-x": "two"}, "1", "4"},
		{map[string]string{"01-a/1-x": "two"}, "2", "3"},
		{map[string]string{"01-a/1-x": "two", "1-x": "two"}, "2", "4"},
		{map[string]string{"1-x": "partial/stage1"}, "1", "5"},
		{map[string]string{"1-x": "partial/stage1"}, "1", "0"}, // G is the stub's
	} {
		replace := overlaid(t, root, mine, test.others)
		earlier := filepath.Join(root, "chapters/01-a/exercises/1-x/exercise.go")
		later := filepath.Join(root, "chapters/02-b/exercises/1-x/exercise.go")
		require.ElementsMatch(t, []string{earlier, later}, slices.Collect(maps.Keys(replace)), "%v", test.others)
		for stub, want := range map[string]string{earlier: test.earlier, later: test.later} {
			text, err := os.ReadFile(replace[stub])
			require.NoError(t, err)
			require.True(t, strings.Contains(string(text), "return "+want), "%v: %s is %s", test.others, stub, text)
		}
	}
}
