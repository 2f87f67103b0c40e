package plane

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
)

func TestSweepLeavesWhatIsInUse(t *testing.T) {
	base := newBase(t)
	for _, name := range []string{"used", "left", "halfmade"} {
		require.NoError(t, os.MkdirAll(filepath.Join(base, name, "data"), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(base, "left", RunLock), nil, 0o600))
	held, err := filelock.Try(filepath.Join(base, "used", RunLock))
	require.NoError(t, err)
	defer held.Unlock()

	require.NoError(t, os.Mkdir(filepath.Join(base, "empty"), 0o700))
	require.NoError(t, Sweep(base))
	assert.DirExists(t, filepath.Join(base, "used", "data"))
	assert.NoDirExists(t, filepath.Join(base, "left"), "a run whose lock nobody holds is a leftover")
	assert.NoDirExists(t, filepath.Join(base, "empty"), "and so is one that was killed before it had a lock")
	assert.DirExists(t, filepath.Join(base, "halfmade", "data"), "what has no lock and is not empty is something else")

	elsewhere := t.TempDir()
	newRun(t, filepath.Join(elsewhere, "left"), true)
	require.ErrorIs(t, Sweep(elsewhere), ErrForeign)
	assert.DirExists(t, filepath.Join(elsewhere, "left"), "a folder that is not named as ours are is not swept")
}

// The lock file of a killed run's namespace goes when the control plane has gone that had the namespace.
func TestSweepRemovesTheLocksOfNamespacesThatWent(t *testing.T) {
	base := newBase(t)
	gone, there := filepath.Join(base, "gone"), newRun(t, filepath.Join(base, "there"), true)
	running, err := filelock.Try(filepath.Join(there, RunLock))
	require.NoError(t, err)
	defer running.Unlock()
	killed := map[string]string{ // its name, and its note
		"went": gone, "stays": there, "kinds": "", "foreign": "/etc/gone", "relative": "gone",
	}
	for name, note := range killed {
		require.NoError(t, os.WriteFile(filepath.Join(base, NamespaceLock+name), []byte(note), 0o600))
	}
	living, err := filelock.Try(filepath.Join(base, NamespaceLock+"living"))
	require.NoError(t, err)
	defer living.Unlock()
	require.NoError(t, living.Note(gone))
	require.NoError(t, os.Symlink(NamespaceLock+"kinds", filepath.Join(base, NamespaceLock+"link")))

	require.NoError(t, Sweep(base))
	assert.NoFileExists(t, filepath.Join(base, NamespaceLock+"went"))
	for _, name := range []string{"stays", "kinds", "foreign", "relative", "living", "link"} {
		assert.FileExists(t, filepath.Join(base, NamespaceLock+name))
	}
}

func TestReadPlaneTellsAbsentFromDamaged(t *testing.T) {
	dir := t.TempDir()
	_, err := Read(dir)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	for _, text := range []string{"", "{", "null", `{"dir": "/x"}`, "\x00\x00"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, File), []byte(text), 0o600))
		_, err = Read(dir)
		assert.ErrorIs(t, err, ErrDamaged, "%q", text)
	}
	want := &Plane{Dir: "/run/x", Kubeconfig: "/run/x/kubeconfig", Supervisor: 7}
	require.NoError(t, want.WriteTo(dir))
	got, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func TestWriteFileLeavesTheOldFileWhenItFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, WriteFile(path, []byte("old")))
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	require.Error(t, WriteFile(filepath.Join(dir, "folder"), []byte("new")), "a file can't take a folder's place")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "no temporary file stays")
}

func TestProcessesNaming(t *testing.T) {
	found, err := ProcessesNaming("no process of this machine has this among its arguments")
	require.NoError(t, err)
	assert.Empty(t, found)
	found, err = processesByPS()
	if err != nil {
		t.Skipf("this machine has no ps: %v", err)
	}
	var self bool
	for _, p := range found {
		self = self || p.PID == os.Getpid() && p.Program == filepath.Base(os.Args[0])
	}
	assert.True(t, self, "this process is among those that ps lists")
}

func TestAFailureIsReadable(t *testing.T) {
	f := &Failure{Component: Etcd, Cause: "did not start: no room", Log: []string{"one", "two"},
		LogFile: "/lab/etcd.log"}
	assert.Equal(t, "etcd did not start: no room\nThe end of its log:\n    one\n    two\nThe whole log: /lab/etcd.log",
		f.Error())
}

// A run directory appears with its lock, and goes with it. What cannot be made whole is not left.
func TestMakeRunAndRemoveRun(t *testing.T) {
	base := newBase(t)
	left := newRun(t, filepath.Join(base, "left"), true)
	run := filepath.Join(base, "run")
	lock, err := MakeRun(t.Context(), run)
	require.NoError(t, err)
	assert.NoDirExists(t, left, "what a killed run left is swept first")
	info, err := os.Stat(run)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.NoError(t, Sweep(base))
	assert.DirExists(t, run, "nobody sweeps it while it is used")
	_, err = MakeRun(t.Context(), run)
	require.ErrorIs(t, err, fs.ErrExist)
	assert.DirExists(t, run, "it is somebody else's")

	require.NoError(t, os.WriteFile(filepath.Join(run, RunKubeconfig), nil, 0o600))
	require.NoError(t, RemoveRun(run, lock))
	assert.NoDirExists(t, run)
	_, err = MakeRun(t.Context(), filepath.Join(t.TempDir(), "run"))
	require.ErrorIs(t, err, ErrForeign, "the folder is not one of run directories")
}
