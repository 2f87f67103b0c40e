package symptoms_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

// TestCases: what people met leads to a row that helps, first. testdata/cases has a folder for each: input.log or
// words.txt, with the words of a public report in a log of our own; row.txt, how the row begins on the page;
// source.txt, where it was reported.
func TestCases(t *testing.T) {
	rows := page(t)
	folders, err := filepath.Glob(filepath.Join("testdata", "cases", "*"))
	require.NoError(t, err)
	require.Greater(t, len(folders), 30)
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			read := func(name string) string {
				text, err := os.ReadFile(filepath.Join(folder, name))
				require.NoError(t, err)
				require.NotEmpty(t, strings.TrimSpace(string(text)), name)
				return strings.TrimSpace(string(text))
			}
			want := read("row.txt")
			read("source.txt")
			var first *symptoms.Row
			if _, err := os.Stat(filepath.Join(folder, "words.txt")); err == nil {
				matches, _ := symptoms.ByWords(rows, read("words.txt"))
				require.NotEmpty(t, matches)
				first = matches[0].Row
			} else {
				found := search(t, rows, read("input.log"))
				require.NotEmpty(t, found)
				first = found[0].Row
			}
			require.True(t, strings.HasPrefix(first.Symptom+" |", want), "first comes %s", first.Symptom)
		})
	}
}

// TestWordsThatPeopleSay: everyday words, and names of faults, lead to a row first.
func TestWordsThatPeopleSay(t *testing.T) {
	rows := page(t)
	for words, want := range map[string]string{
		"reconcile loop":                 "a controller runs without an end",
		"hot loop":                       "one key again and again",
		"infinite loop":                  "a controller runs without an end",
		"endless":                        "a controller runs without an end",
		"my operator reconciles forever": "a controller runs without an end",
		"lastTransitionTime":             "a controller runs without an end",
		"stale cache":                    "two of what there should be one of",
		"duplicate":                      "twice as many children as wanted, or more",
		"duplicates":                     "twice as many children as wanted, or more",
		"MaxConcurrentReconciles":        "one object holds up all others",
		"OOMKilled":                      "`signal: killed`",
		"OOM":                            "`signal: killed`",
		"throttled":                      "`Waited before sending request`",
		"split brain":                    "`leader election lost`",
		"namespace stuck in Terminating": "`NamespaceFinalizersRemaining`",
		"stall":                          "no event for minutes",
		"-fault stall":                   "no event for minutes",
		"fault lost-lease":               "`leader election lost`",
		"Everything is handled TWICE":    "everything is handled twice",
		"the watch hangs and no error":   "no event for minutes",
		"TestPointersAreNotMerged":       "memory and `workqueue_depth` grow",
	} {
		matches, _ := symptoms.ByWords(rows, words)
		require.NotEmpty(t, matches, words)
		if !strings.HasPrefix(matches[0].Row.Symptom, want) {
			t.Errorf("%q leads to %s, and not to %s", words, matches[0].Row.Symptom, want)
		}
	}
	matches, _ := symptoms.ByWords(rows, "zebra giraffe")
	require.Empty(t, matches)
}

// TestNamesOfFaults: each fault that a lesson names leads to a row that names it.
func TestNamesOfFaults(t *testing.T) {
	rows := page(t)
	lessons, err := filepath.Glob(filepath.Join("..", "..", "chapters", "*", "README.md"))
	require.NoError(t, err)
	seen := 0
	for _, lesson := range lessons {
		text, err := os.ReadFile(lesson)
		require.NoError(t, err)
		for _, found := range named.FindAllStringSubmatch(string(text), -1) {
			seen++
			matches, _ := symptoms.ByWords(rows, "-fault "+found[1])
			require.NotEmpty(t, matches, found[0])
			if !strings.Contains(matches[0].Row.Where, "-fault "+found[1]) {
				t.Errorf("-fault %s leads to %s", found[1], matches[0].Row.Symptom)
			}
		}
	}
	require.Greater(t, seen, 50)
}

var named = regexp.MustCompile("go run \\./chapters/[a-z0-9-]+ -fault ([a-z0-9-]+)`")
