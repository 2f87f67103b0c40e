package kind

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nodesThere are the docker answers of a cluster whose one node is stopped. The file that it names appears when the
// node is deleted.
func nodesThere(t *testing.T, c *Cluster) (deleted string) {
	t.Helper()
	deleted = filepath.Join(t.TempDir(), "deleted")
	fakeDocker(t, engineThere+`*--no-trunc*) echo 4711;;
events*) echo 4711; exec sleep 60;;
ps*Names*) echo `+c.Name+`-control-plane;;
ps*) echo `+c.Name+`;;
rm*) touch `+deleted+`;;
*) echo "Error response from daemon: container is not running" >&2; exit 1;;`)
	require.NoError(t, os.MkdirAll(c.state(), 0o700))
	return deleted
}

func keep(t *testing.T, file string, lines ...string) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

func TestAClusterWhoseNodeIsStoppedIsDeletedByTheOneWhoMadeIt(t *testing.T) {
	c := newCluster(t)
	deleted := nodesThere(t, c)
	require.NoError(t, c.writeRecord(t.Context()))
	keep(t, c.Kubeconfig(), "{ no kubeconfig")
	require.NoError(t, c.Down(t.Context()))
	assert.FileExists(t, deleted)
	for _, file := range []string{c.record(), c.Kubeconfig()} {
		assert.NoFileExists(t, file)
	}
}

func TestAClusterWhoseMakingWasCutShortIsDeleted(t *testing.T) {
	c := newCluster(t)
	deleted := nodesThere(t, c)
	keep(t, c.creating(), c.root, "4711")
	require.NoError(t, c.Down(t.Context()))
	assert.FileExists(t, deleted)
}

// The ids are there while the cluster is made: a making that is killed leaves them.
func TestAMakingWritesDownTheContainersThatAppear(t *testing.T) {
	c := newCluster(t)
	fakeDocker(t, `events*label=io.x-k8s.kind.cluster=`+c.Name+`) echo 4711; echo 4712; exec sleep 60;;`)
	require.NoError(t, c.prepare())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	end := c.watchMaking(ctx)
	for len(c.read(c.creating())) < 2 && ctx.Err() == nil {
		runtime.Gosched()
	}
	assert.Equal(t, []string{"4711", "4712"}, c.read(c.creating()))
	end()
}

// What is written goes to no other place, wherever .lab comes from.
func TestNothingIsWrittenThroughALink(t *testing.T) {
	for _, name := range []string{"creating", "nodes", "lock", "kubeconfig", "kubeconfig.lock"} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			nodesThere(t, c)
			foreign := filepath.Join(t.TempDir(), "foreign")
			require.NoError(t, os.Symlink(foreign, c.kept(name)))
			_, err := c.Up(t.Context())
			require.ErrorContains(t, err, "remove it")
			require.ErrorContains(t, c.Down(t.Context()), "remove it")
			assert.NoFileExists(t, foreign)
		})
	}
	c := newCluster(t)
	nodesThere(t, c)
	require.NoError(t, os.Remove(c.state()))
	foreign := t.TempDir()
	require.NoError(t, os.Symlink(foreign, c.state()))
	require.ErrorContains(t, c.Down(t.Context()), "remove it")
	assert.NoFileExists(t, filepath.Join(foreign, c.Name+".lock"))
}

func TestAFolderThatOthersWriteIntoIsRefused(t *testing.T) {
	c := newCluster(t)
	nodesThere(t, c)
	require.NoError(t, os.Chmod(c.state(), 0o777))
	require.ErrorContains(t, c.Down(t.Context()), "chmod go-w it")
}

// A file in .lab may have been copied, edited or unpacked: a cluster is not deleted because it has a name.
func TestNoClusterIsDeletedOnTheWordOfAFile(t *testing.T) {
	now := time.Now().Format(time.RFC3339)
	for name, file := range map[string]func(*Cluster){
		"none":                        func(*Cluster) {},
		"another cluster's nodes":     func(c *Cluster) { keep(t, c.record(), c.root, "4712") },
		"no nodes":                    func(c *Cluster) { keep(t, c.record(), c.root) },
		"another checkout's":          func(c *Cluster) { keep(t, c.record(), "/home/other/checkout", "4711") },
		"a making of just now":        func(c *Cluster) { keep(t, c.creating(), c.root, now) },
		"a making without containers": func(c *Cluster) { keep(t, c.creating(), c.root) },
		"another checkout's making":   func(c *Cluster) { keep(t, c.creating(), "/home/other/checkout", "4711") },
		"a making without a checkout": func(c *Cluster) { keep(t, c.creating(), "4711") },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			deleted := nodesThere(t, c)
			file(c)
			err := c.Down(t.Context())
			require.ErrorContains(t, err, "if it is yours, delete it: docker rm -f -v $(docker ps")
			_, err = c.Up(t.Context())
			require.Error(t, err)
			assert.NoFileExists(t, deleted)
		})
	}
}

func TestANameThatIsAPathIsRefused(t *testing.T) {
	for _, name := range []string{"../../other", "/x", "a b", "..", "-f", "A"} {
		t.Setenv("KIND_CLUSTER", name)
		_, err := For(t.TempDir(), 0, nil)
		assert.ErrorContains(t, err, "which is no name of a kind cluster", name)
	}
}
