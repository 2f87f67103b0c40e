package plane

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Between the look at a file and its reading something else can take its place.
func TestWhatTakesTheFilesPlaceIsNotRead(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"a pipe":             planetest.Mkfifo,
		"a link to a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a folder":           func(path string) error { return os.Mkdir(path, 0o700) },
		"a very long file": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), File)
			require.NoError(t, plant(path))
			_, err := readOpened(path)
			assert.ErrorIs(t, err, errOdd)
		})
	}
	t.Run("another user's file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), File)
		require.NoError(t, os.WriteFile(path, []byte("{}"), 0o644))
		planetest.Give(t, path)
		_, err := ReadSmall(path)
		require.ErrorIs(t, err, errNotOurs)
		_, err = Read(filepath.Dir(path))
		assert.ErrorIs(t, err, ErrDamaged)
	})
}
