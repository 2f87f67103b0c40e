package symptoms_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

// TestRecordedFaults: what the chapters' own faults leave in a log leads to a row that names the fault, or its chapter,
// and the fault's own row is first most often. testdata/recorded has what demos printed and what client-go logged; its
// README.md says of which command.
func TestRecordedFaults(t *testing.T) {
	rows := page(t)
	files, err := filepath.Glob(filepath.Join("testdata", "recorded", "*.*.*"))
	require.NoError(t, err)
	require.Greater(t, len(files), 25)
	named := 0
	for _, file := range files {
		parts := strings.Split(filepath.Base(file), ".")
		chapter, fault := parts[0], parts[1]
		log, err := os.ReadFile(file)
		require.NoError(t, err)
		found := search(t, rows, string(log))
		names := func(f symptoms.Found) bool { return strings.Contains(f.Row.Where, " -fault "+fault+"`") }
		of := func(f symptoms.Found) bool { return names(f) || strings.Contains(f.Row.Where, "chapters/"+chapter+"/") }
		if !slices.ContainsFunc(found, of) {
			t.Errorf("%s leads to no row of its chapter: %+v", file, found)
			continue
		}
		if names(found[0]) {
			named++
		}
	}
	require.GreaterOrEqual(t, 3*named, 2*len(files), "the row that names the fault is first for %d of %d", named,
		len(files))
}
