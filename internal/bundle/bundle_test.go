package bundle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/bundle"
)

// checkout is a git repository with one package that needs one module.
func checkout(t *testing.T) (root, servers string) {
	t.Helper()
	sums, err := os.ReadFile("../../go.sum")
	require.NoError(t, err)
	root, servers = t.TempDir(), t.TempDir()
	for name, content := range map[string]string{
		"go.mod":      "module example.com/x\n\ngo 1.26.0\n\nrequire go.uber.org/goleak v1.3.0\n",
		"go.sum":      string(sums),
		"x.go":        "package x\n\nimport _ \"go.uber.org/goleak\"\n",
		"left/over.o": "not tracked",
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(content), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(servers, "etcd"), []byte("a server"), 0o755))
	for _, arguments := range [][]string{{"init", "-q"}, {"add", "go.mod", "go.sum", "x.go"}} {
		cmd := exec.CommandContext(t.Context(), "git", arguments...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return root, servers
}

func pack(t *testing.T) (archive string) {
	t.Helper()
	root, servers := checkout(t)
	archive = filepath.Join(t.TempDir(), "bundle.tar.gz")
	size, err := bundle.Pack(t.Context(), root, servers, archive)
	require.NoError(t, err)
	require.Positive(t, size)
	return archive
}

func TestAMachineWithoutANetworkBuildsFromTheBundle(t *testing.T) {
	archive := pack(t)
	// The other machine: nothing in its module cache, and no proxy to ask.
	home := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "tar", "xzf", archive, "-C", home).CombinedOutput()
	require.NoError(t, err, "%s", out)
	root := filepath.Join(home, bundle.TopFolder)
	assert.NoFileExists(t, filepath.Join(root, "left", "over.o"), "only what git tracks is packed")

	t.Setenv("GOMODCACHE", filepath.Join(home, "mod"))
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOPROXY", "off")
	servers := filepath.Join(home, "servers")
	require.NoError(t, bundle.Unpack(t.Context(), root, servers, ""))
	content, err := os.ReadFile(filepath.Join(servers, "etcd"))
	require.NoError(t, err)
	assert.Equal(t, "a server", string(content))

	build := exec.CommandContext(t.Context(), "go", "build", "./...")
	build.Dir = root
	out, err = build.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestADamagedServerIsNotInstalled(t *testing.T) {
	archive := pack(t)
	home := t.TempDir()
	require.NoError(t, exec.CommandContext(t.Context(), "tar", "xzf", archive, "-C", home).Run())
	root := filepath.Join(home, bundle.TopFolder)
	t.Setenv("GOMODCACHE", filepath.Join(home, "mod"))
	require.NoError(t, os.WriteFile(filepath.Join(root, "dist", "bundle", "servers", "etcd"), []byte("half"), 0o755))
	err := bundle.Unpack(t.Context(), root, filepath.Join(home, "servers"), "")
	require.ErrorContains(t, err, "etcd of the bundle is damaged")
	assert.NoFileExists(t, filepath.Join(home, "servers", "etcd"))
}

func TestABundleForAnotherPlatformIsRefused(t *testing.T) {
	archive := pack(t)
	home := t.TempDir()
	require.NoError(t, exec.CommandContext(t.Context(), "tar", "xzf", archive, "-C", home).Run())
	root := filepath.Join(home, bundle.TopFolder)
	require.NoError(t, os.WriteFile(filepath.Join(root, "dist", "bundle", "platform"), []byte("plan9-mips\n"), 0o644))
	err := bundle.Unpack(t.Context(), root, filepath.Join(home, "servers"), "")
	assert.ErrorContains(t, err, "were built for plan9-mips and this machine is "+bundle.Platform())
}

func TestWhatIsNoBundleIsRefused(t *testing.T) {
	root, _ := checkout(t)
	servers := t.TempDir()
	assert.ErrorContains(t, bundle.Unpack(t.Context(), root, servers, ""), "there is no unpacked bundle")
	assert.ErrorContains(t, bundle.Unpack(t.Context(), root, servers, filepath.Join(root, "nowhere.tar.gz")), "opening the bundle")
	text := filepath.Join(root, "go.mod")
	assert.ErrorContains(t, bundle.Unpack(t.Context(), root, servers, text), "is no bundle")

	archive := pack(t)
	content, err := os.ReadFile(archive)
	require.NoError(t, err)
	half := filepath.Join(t.TempDir(), "half.tar.gz")
	require.NoError(t, os.WriteFile(half, content[:len(content)/2], 0o644))
	assert.ErrorContains(t, bundle.Unpack(t.Context(), root, servers, half), "was it copied whole?")
}

// What unpacks modules can't be built from any.
func TestUnpackingNeedsNoModule(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "../../scripts/bundle")
	out, err := cmd.Output()
	require.NoError(t, err)
	assert.Empty(t, strings.TrimSpace(string(out)))
}
