package controlplane

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Another user's state folder is refused whatever lies in it. What lies in it may have no end.
func TestNothingIsReadOfAFolderThatIsRefused(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"a pipe":   mkfifo,
		"a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"nonsense": func(path string) error { return os.WriteFile(path, []byte("{"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			lab := t.TempDir()
			t.Setenv(StateEnv, lab)
			require.NoError(t, plant(filepath.Join(lab, planeFile)))
			require.NoError(t, os.Chmod(lab, 0o777))
			_, err := readOwn(lab)
			require.ErrorContains(t, err, "everybody may write into "+lab)
			assert.NotErrorIs(t, err, errDamaged, "the file was read")
			_, err = Status(t.Context())
			require.ErrorContains(t, err, "everybody may write into "+lab)
		})
	}
}

// Between the look at a file and its reading something else can take its place.
func TestWhatTakesTheFilesPlaceIsNotRead(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"a pipe":             mkfifo,
		"a link to a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a folder":           func(path string) error { return os.Mkdir(path, 0o700) },
		"a very long file": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), planeFile)
			require.NoError(t, plant(path))
			_, err := readOpened(path)
			assert.ErrorIs(t, err, errOdd)
		})
	}
	t.Run("another user's file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), planeFile)
		require.NoError(t, os.WriteFile(path, []byte("{}"), 0o644))
		give(t, path)
		_, err := readSmall(path)
		require.ErrorIs(t, err, errNotOurs)
		_, err = ReadPlane(filepath.Dir(path))
		assert.ErrorIs(t, err, errDamaged)
	})
}
