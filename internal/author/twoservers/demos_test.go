package twoservers

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/record"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// playsOnBook is how a demo says that it plays on chapter 03's server.
var playsOnBook = regexp.MustCompile(`\bPlaysOnBook:\s+true\b`)

// both is where the demos are that play on both servers.
func both(t *testing.T, root string) (chapters []string) {
	t.Helper()
	mains, err := filepath.Glob(filepath.Join(root, "chapters", "*", "main.go"))
	require.NoError(t, err)
	for _, main := range mains {
		source, err := os.ReadFile(main)
		require.NoError(t, err)
		if playsOnBook.Match(source) {
			chapters = append(chapters, filepath.Base(filepath.Dir(main)))
		}
	}
	require.GreaterOrEqual(t, len(chapters), 8, "01, 02 and 04 to 09: %s", chapters)
	return chapters
}

// TestDemosOnBothServers plays each of these demos on chapter 03's server and on kube-apiserver.
func TestDemosOnBothServers(t *testing.T) {
	testkit.Needs(t, testkit.RestartServer) // a local one, into which nobody else writes
	root, err := repo.Root()
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(Page)))
	require.NoError(t, err)
	known, err := Differences(string(page))
	require.NoError(t, err)
	cluster.Shared(t) // which the demos join that play on kube-apiserver
	chapters := both(t, root)
	for _, d := range known {
		found := false
		for _, c := range chapters {
			found = found || strings.HasPrefix(c, d.Chapter+"-")
		}
		assert.True(t, found, "%s:%d: no demo of %s plays on both servers", Page, d.Line, d.Chapter)
	}
	for _, chapter := range chapters {
		t.Run(chapter, func(t *testing.T) {
			t.Parallel()
			here := played(t, root, "CLUSTER=book go run ./chapters/"+chapter)
			there := played(t, root, "go run ./chapters/"+chapter)
			found := Compare(chapter[:2], here, there, known)
			for _, finding := range found {
				t.Error(finding)
			}
			if len(found) > 0 {
				t.Logf("on chapter 03's server:\n%s\non kube-apiserver:\n%s", here, there)
			}
		})
	}
}

// played is what a command prints.
func played(t *testing.T, root, command string) string {
	t.Helper()
	out, err := record.Run(t.Context(), root, command)
	require.NoError(t, err)
	require.Contains(t, out, "is deleted.", "the demo ended well: %s", out)
	return out
}
