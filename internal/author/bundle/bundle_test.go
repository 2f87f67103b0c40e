package bundle_test

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/bundle"
)

// checkout is a git repository with one package that needs one module.
func checkout(t *testing.T) (root, servers string) {
	t.Helper()
	sums, err := os.ReadFile("../../../go.sum")
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
	assert.ErrorContains(t, err, "were built for \"plan9-mips\" and this machine is "+bundle.Platform())
}

func TestWhatIsNoBundleIsRefused(t *testing.T) {
	root, _ := checkout(t)
	servers := t.TempDir()
	assert.ErrorContains(t, bundle.Unpack(t.Context(), root, servers, ""), "there is no unpacked bundle")
	assert.ErrorContains(t, bundle.Unpack(t.Context(), root, servers, filepath.Join(root, "nowhere.tar.gz")),
		"opening the bundle")
	text := filepath.Join(root, "go.mod")
	assert.ErrorContains(t, bundle.Unpack(t.Context(), root, servers, text), "is no bundle")

	archive := pack(t)
	content, err := os.ReadFile(archive)
	require.NoError(t, err)
	half := filepath.Join(t.TempDir(), "half.tar.gz")
	require.NoError(t, os.WriteFile(half, content[:len(content)/2], 0o644))
	assert.ErrorContains(t, bundle.Unpack(t.Context(), root, servers, half), "was it copied whole?")
}

// unpackByHand unpacks an archive as the reader does it, on a machine with an empty module cache and no proxy.
func unpackByHand(t *testing.T, archive string) (home, root string) {
	t.Helper()
	home = t.TempDir()
	out, err := exec.CommandContext(t.Context(), "tar", "xzf", archive, "-C", home).CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Setenv("GOMODCACHE", filepath.Join(home, "mod"))
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOPROXY", "off")
	return home, filepath.Join(home, bundle.TopFolder)
}

// A module that is not what go.sum says would be in every project of the machine.
func TestAModuleThatWasExchangedIsNotUsed(t *testing.T) {
	home, root := unpackByHand(t, pack(t))
	zips, err := filepath.Glob(filepath.Join(root, bundle.Folder, "modules", "go.uber.org", "goleak", "@v", "*.zip"))
	require.NoError(t, err)
	require.Len(t, zips, 1)
	good, err := zip.OpenReader(zips[0])
	require.NoError(t, err)
	defer good.Close()
	bad, err := os.Create(zips[0] + ".bad")
	require.NoError(t, err)
	w := zip.NewWriter(bad)
	for _, file := range good.File {
		require.NoError(t, w.Copy(file))
	}
	planted, err := w.Create("go.uber.org/goleak@v1.3.0/planted.go")
	require.NoError(t, err)
	_, err = planted.Write([]byte("package goleak\n\nfunc init() { println(\"planted\") }\n"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, bad.Close())
	require.NoError(t, os.Rename(zips[0]+".bad", zips[0]))
	// The sum of what should be there, as another machine's cache has it.
	sum := "h1:2K3zAYmnTNqV73imy9J1T3WC+gmCePx2hEGkimedGto="
	require.NoError(t, os.WriteFile(strings.TrimSuffix(zips[0], ".zip")+".ziphash", []byte(sum), 0o644))

	require.NoError(t, bundle.Unpack(t.Context(), root, filepath.Join(home, "servers"), ""))
	build := exec.CommandContext(t.Context(), "go", "build", "./...")
	build.Dir = root
	out, err := build.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "checksum mismatch")
}

func TestNoLinkOfABundleIsFollowed(t *testing.T) {
	archive := pack(t)
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	for name, link := range map[string]string{
		"a server":   "servers/etcd",
		"a module":   "modules/go.uber.org/goleak/@v/v1.3.0.zip",
		"the sums":   "SHA256SUMS",
		"the folder": ".",
	} {
		t.Run(name, func(t *testing.T) {
			home, root := unpackByHand(t, archive)
			at := filepath.Join(root, bundle.Folder, link)
			target := secret
			if link == "." {
				target = filepath.Dir(secret)
			}
			require.NoError(t, os.RemoveAll(at))
			require.NoError(t, os.Symlink(target, at))
			servers := filepath.Join(home, "servers")
			require.Error(t, bundle.Unpack(t.Context(), root, servers, ""))
			content, _ := os.ReadFile(filepath.Join(servers, "etcd"))
			assert.NotEqual(t, "secret", string(content))
		})
	}
}

func TestUnpackingRemovesNothingButTheLastBundle(t *testing.T) {
	archive := pack(t)
	root, servers := checkout(t)
	t.Setenv("GOMODCACHE", filepath.Join(t.TempDir(), "mod"))
	elsewhere := t.TempDir()
	work := filepath.Join(elsewhere, "bundle", "work")
	require.NoError(t, os.Mkdir(filepath.Dir(work), 0o755))
	require.NoError(t, os.WriteFile(work, nil, 0o644))
	dist := filepath.Join(root, "dist")
	require.NoError(t, os.Symlink(elsewhere, dist))
	require.Error(t, bundle.Unpack(t.Context(), root, servers, archive), "dist is a link to another folder")
	assert.FileExists(t, work)

	require.NoError(t, os.Remove(dist))
	require.NoError(t, bundle.Unpack(t.Context(), root, servers, archive))
	sums := filepath.Join(dist, "bundle", "SHA256SUMS")
	require.FileExists(t, sums)
	for name, content := range map[string][]tar.Header{
		"another archive": {{Name: "photos/one.jpg"}},
		"out of it":       {{Name: "controllers-from-scratch/dist/bundle/../../../planted"}},
		"twice": {
			{Name: "controllers-from-scratch/dist/bundle/x"}, {Name: "controllers-from-scratch/dist/bundle/x"},
		},
	} {
		require.Error(t, bundle.Unpack(t.Context(), root, servers, archiveOf(t, content)), name)
		assert.FileExists(t, sums, "%s: the last bundle stays", name)
		assert.NoDirExists(t, filepath.Join(dist, "bundle.new"), name)
		assert.NoFileExists(t, filepath.Join(root, "..", "planted"), name)
	}
}

// archiveOf writes an archive of empty files.
func archiveOf(t *testing.T, content []tar.Header) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "archive.tar.gz")
	out, err := os.Create(file)
	require.NoError(t, err)
	defer out.Close()
	zip := gzip.NewWriter(out)
	w := tar.NewWriter(zip)
	for _, header := range content {
		header.Typeflag, header.Mode = tar.TypeReg, 0o644
		require.NoError(t, w.WriteHeader(&header))
	}
	require.NoError(t, errors.Join(w.Close(), zip.Close()))
	return file
}

// What unpacks modules can't be built from any.
func TestUnpackingNeedsNoModule(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "../../../scripts/bundle")
	out, err := cmd.Output()
	require.NoError(t, err)
	assert.Empty(t, strings.TrimSpace(string(out)))
}
