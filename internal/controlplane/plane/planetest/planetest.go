// Package planetest makes the folders, the strangers and the files that the tests of control planes need. What it makes
// is gone at the end of the test.
package planetest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// Base makes a folder of run directories of that name, which until the end of the test is this user's own: TMPDIR names
// it. Its path is short enough for that.
func Base(t *testing.T, name string) string {
	t.Helper()
	temp := Temporary(t)
	base := filepath.Join(temp, name)
	require.NoError(t, os.Mkdir(base, 0o700))
	t.Setenv("TMPDIR", temp)
	return base
}

// Run makes a folder with something in it. With the lock of a run directory it is one that a killed supervisor left.
func Run(t *testing.T, run, lock string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(run, "data"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(run, "data", "work"), nil, 0o600))
	if lock != "" {
		require.NoError(t, os.WriteFile(filepath.Join(run, lock), nil, 0o600))
	}
	return run
}

// Give makes a file another user's, or skips the test.
func Give(t *testing.T, path string) {
	t.Helper()
	if err := os.Lchown(path, Nobody, Nobody); err != nil {
		t.Skipf("this machine lacks a second user to be: %v", err)
	}
}

// GiveToGroup makes a file another group's, or skips the test.
func GiveToGroup(t *testing.T, path string) {
	t.Helper()
	if err := os.Chown(path, -1, Nobody); err != nil {
		t.Skipf("this machine lacks a second group to be in: %v", err)
	}
}

// Clone makes a folder that Root takes for a clone of this repository.
func Clone(t *testing.T) (clone string) {
	t.Helper()
	clone = filepath.Join(Temporary(t), "clone")
	require.NoError(t, os.Mkdir(clone, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(clone, "go.mod"), []byte("module "+repo.Module+"\n"), 0o644))
	return clone
}

// Temporary is a folder that is short, and whose parents are in order.
func Temporary(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "cp")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Nobody is another user of this machine.
const Nobody = 65534

// Mkfifo makes a pipe with a name.
func Mkfifo(path string) error { return syscall.Mkfifo(path, 0o600) }
