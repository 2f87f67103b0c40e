package build

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// A cache is a folder of programs that are run. Whoever may put one there runs it as its user, root above all.
func TestACacheOfOthersIsNotUsed(t *testing.T) {
	const programs = "others can put programs into "
	group := func(t *testing.T, path string) error {
		planetest.GiveToGroup(t, path)
		return os.Chmod(path, 0o775)
	}
	for name, c := range map[string]struct {
		change func(t *testing.T, parent, cache string) error
		why    string // empty: it is used
	}{
		"as it is made": {func(*testing.T, string, string) error { return nil }, ""},
		"not there":     {func(_ *testing.T, _, cache string) error { return os.RemoveAll(cache) }, ""},
		"below a folder for all": {func(_ *testing.T, parent, _ string) error {
			return os.Chmod(parent, 0o777|fs.ModeSticky)
		}, ""},
		"another user's": {func(t *testing.T, _, cache string) error {
			planetest.Give(t, cache)
			return nil
		}, programs},
		"another user's folder in it": {func(t *testing.T, _, cache string) error {
			planetest.Give(t, filepath.Join(cache, "key"))
			return nil
		}, programs},
		"another user's folder in one for all": {func(t *testing.T, parent, cache string) error {
			planetest.Give(t, cache)
			return os.Chmod(parent, 0o777|fs.ModeSticky)
		}, programs},
		"open to all":     {func(_ *testing.T, _, cache string) error { return os.Chmod(cache, 0o777) }, programs},
		"open to a group": {func(t *testing.T, _, cache string) error { return group(t, cache) }, programs},
		"a folder in it open to a group": {func(t *testing.T, _, cache string) error {
			return group(t, filepath.Join(cache, "key"))
		}, programs},
		"below another user's": {func(t *testing.T, parent, _ string) error { planetest.Give(t, parent); return nil },
			"whose folder"},
		"below one that all may rename in": {func(_ *testing.T, parent, _ string) error {
			return os.Chmod(parent, 0o777)
		}, "everybody may rename"},
		"below one that a group may rename in": {func(t *testing.T, parent, _ string) error {
			return group(t, parent)
		}, "may rename what is in"},
	} {
		t.Run(name, func(t *testing.T) {
			parent := filepath.Join(planetest.Temporary(t), "parent")
			t.Setenv("XDG_CACHE_HOME", parent)
			t.Setenv("HOME", parent) // on macOS
			cache, err := CacheDir()
			require.NoError(t, err)
			require.NoError(t, os.MkdirAll(filepath.Join(cache, "key"), 0o755))
			require.NoError(t, c.change(t, parent, cache))
			_, err = newBuilder(term.Quiet())
			if c.why == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.why)
			assert.ErrorContains(t, err, "XDG_CACHE_HOME")
		})
	}
}

// Root runs what the owner of the clone has built: in a container the clone and the cache are that user's.
func TestTheCacheOfTheClonesOwner(t *testing.T) {
	clone := planetest.Clone(t)
	planetest.Give(t, clone)
	t.Chdir(clone)
	cache := filepath.Join(planetest.Temporary(t), "cache")
	require.NoError(t, os.Mkdir(cache, 0o755))
	planetest.Give(t, cache)
	require.NoError(t, checkCache(cache))
	require.NoError(t, os.Lchown(cache, planetest.Nobody-1, planetest.Nobody-1))
	require.ErrorContains(t, checkCache(cache), "others can put programs into "+cache)
}

func TestVersionIsTheNestedModules(t *testing.T) {
	version, err := Version()
	if err != nil || !strings.HasPrefix(version, "v1.") {
		t.Errorf("the pinned Kubernetes is %q, %v", version, err)
	}
	bin, err := BinDir()
	if err != nil || !strings.HasPrefix(filepath.Base(bin), version+"-") {
		t.Errorf("its binaries go to %q, %v", bin, err)
	}
}
