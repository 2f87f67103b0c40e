package local

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// In a state folder of another user lies whatever that user puts there, a kubeconfig that runs a program above all.
func TestAStateFolderOfAnotherUser(t *testing.T) {
	s := newStage(t)
	s.says(t, nil)
	planetest.Give(t, s.lab)
	want := s.lab + " belongs to user " + strconv.Itoa(planetest.Nobody)
	_, err := Status(t.Context())
	assert.ErrorContains(t, err, want)
	_, err = Down(t.Context(), nil)
	assert.ErrorContains(t, err, want)
	_, _, err = Up(t.Context(), UpOptions{})
	assert.ErrorContains(t, err, want)
	said := new(heard)
	i, err := existing(t.Context(), said)
	assert.NoError(t, err)
	assert.Nil(t, i)
	assert.Contains(t, said.String(), want)
	t.Setenv(SharedEnv, s.plane.Kubeconfig)
	_, err = existing(t.Context(), term.Quiet())
	assert.ErrorContains(t, err, want)
	assert.Zero(t, s.asked.Load())
	assert.Empty(t, plane.KubectlEnv(s.plane.Kubeconfig))
}

// A folder for all, as /tmp is, keeps others from renaming what is in it. It does not keep them from putting a
// plane.json there.
func TestAStateFolderForAll(t *testing.T) {
	s := newStage(t)
	s.says(t, nil)
	require.NoError(t, os.Chmod(s.lab, 0o777|fs.ModeSticky))
	_, err := Status(t.Context())
	assert.ErrorContains(t, err, "everybody may write into "+s.lab)
	_, err = Down(t.Context(), nil)
	assert.ErrorContains(t, err, "everybody may write into "+s.lab)
	assert.Zero(t, s.asked.Load())
}

func TestTheFoldersThatLeadToTheState(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, parent string) error
		why    string
	}{
		"another user's": {func(t *testing.T, parent string) error { planetest.Give(t, parent); return nil },
			"may rename what is in it"},
		"open to all": {func(_ *testing.T, parent string) error { return os.Chmod(parent, 0o777) },
			"everybody may rename what is in"},
		"open to a group": {func(t *testing.T, parent string) error {
			planetest.GiveToGroup(t, parent)
			return os.Chmod(parent, 0o770)
		}, "group " + strconv.Itoa(planetest.Nobody) + " may rename what is in"},
	} {
		t.Run(name, func(t *testing.T) {
			parent := filepath.Join(planetest.Temporary(t), "parent")
			lab := filepath.Join(parent, "state")
			require.NoError(t, os.MkdirAll(lab, 0o700))
			t.Setenv(plane.StateEnv, lab)
			_, err := Down(t.Context(), nil)
			require.NoError(t, err)
			require.NoError(t, c.change(t, parent))
			_, err = Down(t.Context(), nil)
			require.ErrorContains(t, err, c.why)
			require.ErrorContains(t, err, "set "+plane.StateEnv+" to a folder of yours")

			link := filepath.Join(planetest.Temporary(t), "link")
			// A link in a folder of ours to one that leads through theirs.
			require.NoError(t, os.Symlink(parent, link))
			t.Setenv(plane.StateEnv, filepath.Join(link, "state"))
			_, err = Down(t.Context(), nil)
			require.ErrorContains(t, err, c.why)
		})
	}
}

// Root runs the tests of a clone that belongs to somebody else, in a container above all: what is demanded is that .lab
// is ours.
func TestACloneOfAnotherUser(t *testing.T) {
	clone := planetest.Clone(t)
	planetest.Give(t, clone)
	t.Setenv(plane.StateEnv, "")
	t.Chdir(clone)
	r, err := Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, Absent, r.State)
	_, err = Down(t.Context(), nil)
	require.NoError(t, err)
	info, err := os.Lstat(filepath.Join(clone, ".lab"))
	require.NoError(t, err)
	assert.True(t, plane.OwnedByUs(info))

	t.Setenv(plane.StateEnv, filepath.Join(clone, "other")) // whose clone runs may also own the folder around the state
	_, err = Down(t.Context(), nil)
	require.NoError(t, err)
	t.Setenv("TMPDIR", clone)
	_, err = plane.RunBase()
	require.NoError(t, err)

	t.Setenv(plane.StateEnv, "")
	planetest.Give(t, filepath.Join(clone, ".lab"))
	r, err = Status(t.Context())
	require.NoError(t, err, "nothing is said while there is nothing in it")
	assert.Equal(t, Absent, r.State)
	_, err = Down(t.Context(), nil)
	assert.ErrorContains(t, err, "belongs to user")
}

func TestACopiedDescriptionStopsNobody(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, p *plane.Plane, lab string){
		"as it was":    func(*testing.T, *plane.Plane, string) {},
		"of no folder": func(_ *testing.T, p *plane.Plane, _ string) { p.Lasting = "" },
		"of one that went": func(t *testing.T, p *plane.Plane, _ string) {
			p.Lasting = filepath.Join(t.TempDir(), "old")
		},
		"of a folder there": func(t *testing.T, p *plane.Plane, _ string) { p.Lasting = t.TempDir() },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.says(t, nil)
			second := t.TempDir()
			copied := s.plane
			change(t, &copied, second)
			require.NoError(t, copied.WriteTo(second))
			t.Setenv(plane.StateEnv, second)
			r, err := Down(t.Context(), nil)
			require.NoError(t, err)
			assert.Equal(t, Damaged, r.State)
			running := "the control plane in " + s.run
			owned := "it is a copy: " + running + " belongs to the state folder "
			went := "it belongs to the state folder " + copied.Lasting + ", which is gone: the clone was moved"
			assert.Contains(t, r.Why, map[string]string{
				"as it was":         owned + s.lab,
				"of a folder there": owned + copied.Lasting,
				"of no folder":      "it does not say which state folder " + running + " belongs to",
				"of one that went":  went,
			}[name])
			assert.Zero(t, s.asked.Load(), "the owner's control plane was asked for something")
		})
	}
	t.Run("with a line changed", func(t *testing.T) { // then its supervisor has to say it
		s := newStage(t)
		s.says(t, nil)
		second := t.TempDir()
		copied := s.plane
		copied.Lasting = second
		require.NoError(t, copied.WriteTo(second))
		t.Setenv(plane.StateEnv, second)
		r, err := Down(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, Damaged, r.State)
		assert.Contains(t, r.Why, "it belongs to "+s.lab)
		assert.FileExists(t, filepath.Join(s.run, plane.RunLock))
		assert.EqualValues(t, 1, s.asked.Load(), "it was asked who it is, and not to stop")
	})
}

// A clone that is reached by two paths has one state folder.
func TestAStateFolderBehindALink(t *testing.T) {
	s := newStage(t)
	s.says(t, nil)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(s.lab, link))
	t.Setenv(plane.StateEnv, link)
	r, err := Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, Running, r.State, r.Why)
	assert.Equal(t, filepath.Join(link, plane.RunKubeconfig), r.Plane.Kubeconfig)
}

func TestStatusChangesNothing(t *testing.T) {
	s := newStage(t)
	s.says(t, nil)
	there := filepath.Join(planetest.Temporary(t), "state")
	for name, lab := range map[string]string{"a control plane": s.lab, "nothing": t.TempDir(), "no folder": there} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(plane.StateEnv, lab)
			before := contents(t, lab)
			_, err := Status(t.Context())
			require.NoError(t, err)
			assert.Equal(t, before, contents(t, lab))
		})
	}
	t.Run("a user's files", func(t *testing.T) {
		lab := t.TempDir()
		t.Setenv(plane.StateEnv, lab)
		for _, name := range []string{"lock", "supervisor.log", "notes"} {
			require.NoError(t, os.WriteFile(filepath.Join(lab, name), []byte("what a user keeps"), 0o400))
		}
		before := contents(t, lab)
		_, err := Status(t.Context())
		require.NoError(t, err)
		assert.Equal(t, before, contents(t, lab))
	})
	t.Run("a control plane whose folder is gone", func(t *testing.T) {
		gone := s.plane
		temp := planetest.Temporary(t)
		t.Setenv("TMPDIR", temp)
		gone.Dir = filepath.Join(temp, plane.BaseName(), "run")
		require.NoError(t, gone.WriteTo(s.lab))
		r, err := Status(t.Context())
		require.NoError(t, err)
		assert.Equal(t, Gone, r.State, r.Why)
		entries, err := os.ReadDir(temp)
		require.NoError(t, err)
		assert.Empty(t, entries)
	})
}

// contents are the names, kinds and bytes below a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if os.IsNotExist(err) && path == dir {
			return nil
		}
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		all[path] = info.Mode().String() + info.ModTime().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			all[path] += string(data)
		}
		return nil
	})
	require.NoError(t, err)
	return all
}
