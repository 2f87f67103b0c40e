package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

func TestAStateFolderThatHoldsSomebodysFiles(t *testing.T) {
	lab := t.TempDir()
	t.Setenv(plane.StateEnv, lab)
	path := filepath.Join(lab, plane.RunKubeconfig)
	require.NoError(t, os.WriteFile(path, []byte("current-context: production\n"), 0o600))
	r, err := Down(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, path, r.Kept)
	_, _, err = Up(t.Context(), UpOptions{})
	require.ErrorContains(t, err, "is no kubeconfig of this repository, so it is left alone")
	assert.FileExists(t, path)

	require.NoError(t, os.Chmod(lab, 0o777))
	_, err = Down(t.Context(), nil)
	require.ErrorContains(t, err, "everybody may write into "+lab)
}

func TestALinkAmongTheStateIsNotWrittenThrough(t *testing.T) {
	lab, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	t.Setenv(plane.StateEnv, lab)
	newBase(t)
	require.NoError(t, os.WriteFile(victim, []byte("kept"), 0o600))
	for _, name := range []string{"lock", plane.File, plane.RunKubeconfig} {
		require.NoError(t, os.Symlink(victim, filepath.Join(lab, name)))
		Down(t.Context(), nil)
		require.NoError(t, os.RemoveAll(filepath.Join(lab, name)))
		data, err := os.ReadFile(victim)
		require.NoError(t, err)
		assert.Equal(t, "kept", string(data), name)
	}
	require.NoError(t, os.Symlink(victim, supervisorLog(lab)))
	k, err := newKeeper("/bin/true")
	require.NoError(t, err)
	err = k.launch(order{lasting: lab, show: term.Quiet()})
	require.NoError(t, err)
	data, err := os.ReadFile(victim)
	require.NoError(t, err)
	assert.Equal(t, "kept", string(data), "the supervisor's log")
}

func TestTheControlPlaneOfAnotherUserStays(t *testing.T) {
	base := filepath.Join(t.TempDir(), fmt.Sprintf("cfs-%d", planetest.Nobody))
	run := newRun(t, filepath.Join(base, "run"), true)
	if err := os.Lchown(base, planetest.Nobody, planetest.Nobody); err != nil {
		t.Skipf("this machine lacks a second user to be: %v", err)
	}
	lab := t.TempDir()
	t.Setenv(plane.StateEnv, lab)
	require.NoError(t, (&plane.Plane{Dir: run, Kubeconfig: filepath.Join(lab, plane.RunKubeconfig)}).WriteTo(lab))
	_, err := Down(t.Context(), nil)
	require.ErrorContains(t, err, "describes a control plane that belongs to another user of this machine")
	_, err = plane.Read(lab)
	require.NoError(t, err, "without the file that user's control plane would end")
}

func TestOddFilesOfTheStateAreNotRead(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"a pipe":   planetest.Mkfifo,
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a very long file": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
		},
	} {
		t.Run(name, func(t *testing.T) {
			lab := t.TempDir()
			t.Setenv(plane.StateEnv, lab)
			require.NoError(t, plant(filepath.Join(lab, plane.File)))
			r, err := Status(t.Context())
			require.NoError(t, err)
			assert.Equal(t, Damaged, r.State)
			assert.Contains(t, r.Why, "it is no ordinary file")
			_, err = Down(t.Context(), nil)
			assert.NoError(t, err)
			require.NoError(t, plant(filepath.Join(lab, plane.RunKubeconfig)))
			r, err = Down(t.Context(), nil)
			require.NoError(t, err)
			assert.Equal(t, filepath.Join(lab, plane.RunKubeconfig), r.Kept)
		})
	}
}

// Another user's state folder is refused whatever lies in it. What lies in it may have no end.
func TestNothingIsReadOfAFolderThatIsRefused(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"a pipe":   planetest.Mkfifo,
		"a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"nonsense": func(path string) error { return os.WriteFile(path, []byte("{"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			lab := t.TempDir()
			t.Setenv(plane.StateEnv, lab)
			require.NoError(t, plant(filepath.Join(lab, plane.File)))
			require.NoError(t, os.Chmod(lab, 0o777))
			_, err := plane.ReadOwn(lab)
			require.ErrorContains(t, err, "everybody may write into "+lab)
			assert.NotErrorIs(t, err, plane.ErrDamaged, "the file was read")
			_, err = Status(t.Context())
			require.ErrorContains(t, err, "everybody may write into "+lab)
		})
	}
}

// foreign are folders that a p.json may name and that are no run directories of this user, by what they are.
func foreign(t *testing.T) map[string]string {
	base := newBase(t)
	open := newRun(t, filepath.Join(base, "open"), true)
	require.NoError(t, os.Chmod(open, 0o755))
	real := newRun(t, filepath.Join(t.TempDir(), "real"), true)
	link := filepath.Join(base, "link")
	require.NoError(t, os.Symlink(real, link))
	openBase := newBase(t)
	newRun(t, filepath.Join(openBase, "run"), true)
	require.NoError(t, os.Chmod(openBase, 0o755))
	linkedBase := filepath.Join(t.TempDir(), plane.BaseName())
	require.NoError(t, os.Symlink(filepath.Dir(newRun(t, filepath.Join(newBase(t), "run"), true)), linkedBase))
	linkedLock := newRun(t, filepath.Join(base, "lock-is-a-link"), false)
	require.NoError(t, os.Symlink("/dev/null", filepath.Join(linkedLock, plane.RunLock)))
	return map[string]string{
		"somebody's documents":         newRun(t, filepath.Join(t.TempDir(), "documents"), false),
		"the same with a lock":         newRun(t, filepath.Join(t.TempDir(), "documents"), true),
		"a run without a lock":         newRun(t, filepath.Join(base, "halfmade"), false),
		"a lock that is a link":        linkedLock,
		"a run that others may enter":  open,
		"a link":                       link,
		"a base that others may enter": filepath.Join(openBase, "run"),
		"a base that is a link":        filepath.Join(linkedBase, "run"),
		"a path with dots":             newRun(t, filepath.Join(base, "run"), true) + "/../halfmade",
		"below a run":                  newRun(t, filepath.Join(base, "run", "data"), true),
	}
}

func TestNothingIsRemovedBecauseAFileNamesIt(t *testing.T) {
	for name, dir := range foreign(t) {
		t.Run(name, func(t *testing.T) {
			lab := t.TempDir()
			t.Setenv(plane.StateEnv, lab)
			// that it lies elsewhere is not why it is refused
			t.Setenv("TMPDIR", filepath.Dir(filepath.Dir(filepath.Clean(dir))))
			require.ErrorIs(t, plane.SweepRun(dir), plane.ErrForeign)
			require.FileExists(t, filepath.Join(dir, "data", "work"))

			p := &plane.Plane{Dir: dir, Kubeconfig: filepath.Join(lab, plane.RunKubeconfig), Lasting: lab,
				Supervisor: os.Getppid()}
			require.NoError(t, p.WriteTo(lab))
			r, err := Status(t.Context())
			require.NoError(t, err)
			assert.Equal(t, Damaged, r.State)
			assert.Contains(t, r.Why, dir)
			assert.Contains(t, r.Why, plane.ErrForeign.Error())
			_, err = Down(t.Context(), nil)
			require.NoError(t, err)
			require.FileExists(t, filepath.Join(dir, "data", "work"))
			p.Failure = &plane.Failure{Component: plane.Etcd, Cause: "ended"} // of which no supervisor is asked
			require.NoError(t, p.WriteTo(lab))
			_, err = Down(t.Context(), nil)
			require.NoError(t, err)
			require.FileExists(t, filepath.Join(dir, "data", "work"))
			_, err = plane.Read(lab)
			assert.ErrorIs(t, err, fs.ErrNotExist, "only the file goes that named it")
		})
	}
}

func TestARunDirectoryOfOursIsRemoved(t *testing.T) {
	base := newBase(t)
	run := newRun(t, filepath.Join(base, "left"), true)
	lab := t.TempDir()
	t.Setenv(plane.StateEnv, lab)
	p := &plane.Plane{Dir: run, Kubeconfig: filepath.Join(lab, plane.RunKubeconfig), Lasting: lab}
	require.NoError(t, p.WriteTo(lab))
	_, err := Down(t.Context(), nil)
	require.NoError(t, err)
	assert.NoDirExists(t, run)
}
