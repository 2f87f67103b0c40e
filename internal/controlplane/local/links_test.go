package local

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// A link leads through a second one, and that lies in a folder whose other writers can turn it round.
func TestALinkInAFolderOfOthers(t *testing.T) {
	dir := planetest.Temporary(t)
	open, safe := filepath.Join(dir, "open"), filepath.Join(dir, "safe")
	require.NoError(t, os.MkdirAll(filepath.Join(safe, plane.BaseName()), 0o700))
	require.NoError(t, os.Mkdir(filepath.Join(safe, "state"), 0o700))
	require.NoError(t, os.Mkdir(open, 0o700))
	first, second := filepath.Join(dir, "l1"), filepath.Join(open, "l2")
	require.NoError(t, os.Symlink("open/l2", first))
	require.NoError(t, os.Symlink("../safe", second))
	try := func() (state, base error) {
		t.Setenv(plane.StateEnv, filepath.Join(first, "state"))
		_, state = Down(t.Context(), nil)
		t.Setenv("TMPDIR", first)
		_, base = plane.RunBase()
		return state, base
	}
	state, base := try()
	require.NoError(t, state)
	require.NoError(t, base)

	require.NoError(t, os.Chmod(open, 0o777))
	state, base = try()
	assert.ErrorContains(t, state, "everybody may rename what is in")
	assert.ErrorContains(t, base, "everybody may rename what is in")

	link := filepath.Join(open, "state") // the state folder itself
	require.NoError(t, os.Symlink(filepath.Join(safe, "state"), link))
	t.Setenv(plane.StateEnv, filepath.Join(dir, "state"))
	require.NoError(t, os.Symlink(link, filepath.Join(dir, "state")))
	_, err := Down(t.Context(), nil)
	assert.ErrorContains(t, err, "everybody may rename what is in")
	assert.NoFileExists(t, filepath.Join(safe, "state", plane.File))
}

// In a folder for all one user keeps another from renaming his link, and leads it wherever he wants.
func TestALinkOfAnotherUser(t *testing.T) {
	dir := planetest.Temporary(t)
	safe, link := filepath.Join(dir, "safe"), filepath.Join(dir, "link")
	require.NoError(t, os.Mkdir(safe, 0o700))
	require.NoError(t, os.Symlink(safe, link))
	require.NoError(t, plane.CheckParents(filepath.Join(link, "x"), "it", "TMPDIR"))
	planetest.Give(t, link)
	require.NoError(t, os.Chmod(dir, 0o777|os.ModeSticky))
	assert.ErrorContains(t, plane.CheckParents(filepath.Join(link, "x"), "it", "TMPDIR"), "whose link")
}

func TestLinksInACircle(t *testing.T) {
	dir := planetest.Temporary(t)
	require.NoError(t, os.Symlink("b", filepath.Join(dir, "a")))
	require.NoError(t, os.Symlink("a", filepath.Join(dir, "b")))
	assert.ErrorContains(t, plane.CheckParents(filepath.Join(dir, "a", "x"), "it", "TMPDIR"), "more than 40 links")
}

// intoClone makes a clone and changes into it. Its state is .lab.
func intoClone(t *testing.T) (lab string) {
	t.Helper()
	t.Chdir(planetest.Clone(t))
	t.Setenv(plane.StateEnv, "")
	root, err := repo.Root()
	require.NoError(t, err)
	return filepath.Join(root, ".lab")
}

// The folder that .lab leads to is not this repository's, and its mode is somebody's choice.
func TestALabThatLeadsElsewhere(t *testing.T) {
	lab := intoClone(t)
	for name, mode := range map[string]os.FileMode{
		"for all":     0o777 | os.ModeSticky | os.ModeSetgid,
		"for a group": 0o770 | os.ModeSetgid,
	} {
		t.Run(name, func(t *testing.T) {
			elsewhere := filepath.Join(planetest.Temporary(t), "elsewhere")
			require.NoError(t, os.Mkdir(elsewhere, 0o700))
			planetest.GiveToGroup(t, elsewhere)
			require.NoError(t, os.Chmod(elsewhere, mode))
			require.NoError(t, os.Symlink(elsewhere, lab))
			defer os.Remove(lab)
			_, err := Down(t.Context(), nil)
			assert.ErrorContains(t, err, "may write into "+lab)
			info, err := os.Stat(elsewhere)
			require.NoError(t, err)
			assert.Equal(t, mode|os.ModeDir, info.Mode())
			entries, err := os.ReadDir(elsewhere)
			require.NoError(t, err)
			assert.Empty(t, entries)
		})
	}
	t.Run("below a folder for all", func(t *testing.T) {
		parent := filepath.Join(planetest.Temporary(t), "parent")
		require.NoError(t, os.MkdirAll(filepath.Join(parent, "state"), 0o700))
		require.NoError(t, os.Symlink(filepath.Join(parent, "state"), lab))
		defer os.Remove(lab)
		_, err := Down(t.Context(), nil)
		require.NoError(t, err)
		require.NoError(t, os.Chmod(parent, 0o777))
		_, err = Down(t.Context(), nil)
		assert.ErrorContains(t, err, "everybody may rename what is in")
	})
}

// Of .lab itself others lose the right to write, and nothing else changes.
func TestALabThatIsOpen(t *testing.T) {
	lab := intoClone(t)
	require.NoError(t, os.Mkdir(lab, 0o700))
	require.NoError(t, os.Chmod(lab, 0o777|os.ModeSticky|os.ModeSetgid))
	_, err := Down(t.Context(), nil)
	require.NoError(t, err)
	info, err := os.Stat(lab)
	require.NoError(t, err)
	assert.Equal(t, 0o755|os.ModeDir|os.ModeSticky|os.ModeSetgid, info.Mode())
}
