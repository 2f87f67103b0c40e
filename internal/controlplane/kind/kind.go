// Package kind makes, finds and deletes the kind cluster of this
// checkout: the second provider, beside the local control plane. It goes
// through kind's Go packages, which call the docker command.
package kind

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"sigs.k8s.io/kind/pkg/cluster"
	"sigs.k8s.io/kind/pkg/cmd"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// Cluster is one checkout's cluster, made or not.
type Cluster struct {
	// Name is kind's name of it. It is made from the checkout's path, so that
	// two checkouts never share a cluster.
	Name string
	// Image is the node image; empty means kind's default.
	Image string
	// Config is the path of the kind config file that a new cluster is made from.
	Config string
	// Nodes is how many nodes were asked for; 0 takes what is there, or one.
	Nodes int

	root     string
	out      io.Writer
	provider *cluster.Provider
}

// clusterName is what kind accepts, but for dots. Files are named after it.
var clusterName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// For describes the cluster of the checkout at root. KIND_CLUSTER names another
// cluster, KIND_IMAGE chooses the node image, KIND_CONFIG another config file,
// and KIND_NODES the number of nodes (1 or 3) when nodes is 0.
func For(root string, nodes int, out io.Writer) (*Cluster, error) {
	c := &Cluster{
		Name: os.Getenv("KIND_CLUSTER"), Image: os.Getenv("KIND_IMAGE"), Config: os.Getenv("KIND_CONFIG"),
		Nodes: nodes, root: root, out: out,
	}
	if c.Name == "" {
		sum := sha256.Sum256([]byte(root))
		c.Name = "scratch-" + hex.EncodeToString(sum[:4])
	}
	if !clusterName.MatchString(c.Name) {
		return nil, fmt.Errorf("KIND_CLUSTER is %q, which is no name of a kind cluster: use small letters, digits "+
			"and hyphens", c.Name)
	}
	if asked := os.Getenv("KIND_NODES"); asked != "" && nodes == 0 {
		n, err := strconv.Atoi(asked)
		if err != nil {
			return nil, fmt.Errorf("KIND_NODES is %q; it must be 1 or 3", asked)
		}
		c.Nodes = n
	}
	if c.Config == "" {
		file, ok := map[int]string{0: "one-node.yaml", 1: "one-node.yaml", 3: "three-nodes.yaml"}[c.Nodes]
		if !ok {
			return nil, fmt.Errorf("%d nodes were asked for; kind-config/ has a config for 1 and for 3. "+
				"Write one of your own and name it in KIND_CONFIG", c.Nodes)
		}
		c.Config = filepath.Join(root, "kind-config", file)
	}
	c.provider = cluster.NewProvider(cluster.ProviderWithDocker(), cluster.ProviderWithLogger(cmd.NewLogger()))
	return c, nil
}

// Kubeconfig is where the cluster's kubeconfig is kept, mode 0600. The reader's
// own ~/.kube/config is never written.
func (c *Cluster) Kubeconfig() string { return c.kept("kubeconfig") }

// kept is one of the files that are kept about the cluster.
func (c *Cluster) kept(what string) string { return filepath.Join(c.state(), c.Name+"."+what) }

func (c *Cluster) state() string { return filepath.Join(c.root, ".lab", "kind") }

// creating exists while a cluster is made, so that one whose making was killed
// is known to be ours though it has no mark yet. It has the ids of the
// containers that had appeared until then.
func (c *Cluster) creating() string { return c.kept("creating") }

// prepare makes the folder of what is kept. A link in one that somebody else
// filled, an archive that was unpacked say, would be written through.
func (c *Cluster) prepare() error {
	if err := os.MkdirAll(c.state(), 0o700); err != nil {
		return fmt.Errorf("making the folder for what is kept about the cluster: %w", err)
	}
	for _, dir := range []string{filepath.Dir(c.state()), c.state()} {
		if err := plane.CheckWriters(dir, ""); err != nil {
			return err
		}
	}
	files := []string{c.state(), c.Kubeconfig(), c.Kubeconfig() + ".lock", c.creating(), c.record(), c.kept("lock")}
	for n, file := range files {
		info, err := os.Lstat(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if ordinary := info.Mode().IsRegular() || n == 0 && info.IsDir(); !ordinary {
			return fmt.Errorf("%s is a link or something else that is not written to: remove it", file)
		}
	}
	return nil
}
