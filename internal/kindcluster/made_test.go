package kindcluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nodesThere are the docker answers of a cluster whose one node is stopped. The file that it names appears when the
// node is deleted.
func nodesThere(t *testing.T, c *Cluster, created time.Time) (deleted string) {
	t.Helper()
	deleted = filepath.Join(t.TempDir(), "deleted")
	fakeDocker(t, engineThere+`*--no-trunc*) echo 4711;;
inspect*Created*) echo `+created.Format(time.RFC3339Nano)+`;;
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
	deleted := nodesThere(t, c, time.Now())
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
	began := time.Now().Add(-time.Hour)
	deleted := nodesThere(t, c, began.Add(time.Minute))
	keep(t, c.creating(), c.root, began.Format(time.RFC3339))
	require.NoError(t, c.Down(t.Context()))
	assert.FileExists(t, deleted)
}

// A file in .lab may have been copied, edited or unpacked: a cluster is not deleted because it has a name.
func TestNoClusterIsDeletedOnTheWordOfAFile(t *testing.T) {
	created := time.Now()
	for name, file := range map[string]func(*Cluster){
		"none":                       func(*Cluster) {},
		"another cluster's nodes":    func(c *Cluster) { keep(t, c.record(), c.root, "4712") },
		"no nodes":                   func(c *Cluster) { keep(t, c.record(), c.root) },
		"another checkout's":         func(c *Cluster) { keep(t, c.record(), "/home/other/checkout", "4711") },
		"a making that is long past": func(c *Cluster) { keep(t, c.creating(), c.root, "2026-01-02T03:04:05Z") },
		"a making that began afterwards": func(c *Cluster) {
			keep(t, c.creating(), c.root,
				created.Add(time.Hour).Format(time.RFC3339))
		},
		"another checkout's making": func(c *Cluster) {
			keep(t, c.creating(), "/home/other/checkout",
				created.Format(time.RFC3339))
		},
		"a making without a checkout": func(c *Cluster) { keep(t, c.creating(), created.Format(time.RFC3339)) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			deleted := nodesThere(t, c, created)
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
