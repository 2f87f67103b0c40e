package kind

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeDocker puts a docker command on the PATH that answers by a shell case
// over its arguments, so that each failure can be had on any machine.
func fakeDocker(t *testing.T, cases string) {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\necho \"$*\" >>" + dir + "/calls\ncase \"$*\" in\n" + cases + "\nesac\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "docker"), []byte(script), 0o755))
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	t.Cleanup(func() {
		if t.Failed() {
			calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
			t.Logf("docker was called with:\n%s", calls)
		}
	})
}

func newCluster(t *testing.T) *Cluster {
	t.Helper()
	for _, name := range []string{"KIND_CLUSTER", "KIND_IMAGE", "KIND_CONFIG", "KIND_NODES"} {
		t.Setenv(name, "")
	}
	root := t.TempDir()
	config := filepath.Join(root, "kind.yaml")
	require.NoError(t, os.WriteFile(config, []byte("kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n"), 0o644))
	t.Setenv("KIND_CONFIG", config)
	c, err := For(root, 0, io.Discard)
	require.NoError(t, err)
	return c
}

func TestNoDockerCommandIsNamed(t *testing.T) {
	c := newCluster(t)
	t.Setenv("PATH", t.TempDir())
	_, err := c.Up(t.Context())
	require.ErrorIs(t, err, ErrNoEngine)
	assert.ErrorContains(t, err, "there is no docker command on the PATH")
	assert.ErrorContains(t, err, "leave CLUSTER unset")
}

func TestAStoppedDaemonIsNamedWithDockersWords(t *testing.T) {
	c := newCluster(t)
	fakeDocker(t, `info*) echo "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?" >&2; exit 1;;`)
	_, err := c.Up(t.Context())
	require.ErrorIs(t, err, ErrNoEngine)
	assert.ErrorContains(t, err, "Is the docker daemon running?")
	assert.ErrorContains(t, err, "sudo systemctl start docker")
}

const engineThere = `info*) echo '{"SecurityOptions":[],"CgroupVersion":"2","ServerVersion":"28"}';;
version*) echo 28.0.0;;
`

func TestAMissingImageIsNamed(t *testing.T) {
	c := newCluster(t)
	c.Image = "kindest/node:v0.0.0-none"
	fakeDocker(t, engineThere+`ps*) ;;
inspect*|image\ inspect*) echo "Error: No such image" >&2; exit 1;;
pull*) echo "manifest unknown" >&2; exit 1;;`)
	_, err := c.Up(t.Context())
	require.Error(t, err)
	assert.ErrorContains(t, err, "kindest/node:v0.0.0-none is neither in the Docker engine nor can it be pulled")
	assert.ErrorContains(t, err, "KIND_IMAGE")
	assert.NoFileExists(t, c.creating(), "what is kept about a cluster that was not made must go")
}

func TestATakenPortIsNamed(t *testing.T) {
	c := newCluster(t)
	c.Image = "kindest/node:here"
	fakeDocker(t, engineThere+`ps*) ;;
network\ inspect*|network\ ls*) echo '[]';;
network*) ;;
run*) echo "Bind for 127.0.0.1:6443 failed: port is already allocated" >&2; exit 125;;
*) ;;`)
	_, err := c.Up(t.Context())
	require.Error(t, err)
	assert.ErrorContains(t, err, "a port it needs is taken")
	assert.ErrorContains(t, err, c.Config)
}

func TestTwoCheckoutsHaveTwoNames(t *testing.T) {
	a, b := newCluster(t), newCluster(t)
	assert.NotEqual(t, a.Name, b.Name)
}

func TestAskingForTwoNodesNamesTheConfigs(t *testing.T) {
	t.Setenv("KIND_CONFIG", "")
	t.Setenv("KIND_NODES", "")
	_, err := For(t.TempDir(), 2, io.Discard)
	assert.ErrorContains(t, err, "kind-config/ has a config for 1 and for 3")
}

func TestACancelledWaitForTheEngineEnds(t *testing.T) {
	newCluster(t)
	fakeDocker(t, `info*) exec sleep 60;;`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, Engine(ctx), ErrNoEngine)
}
