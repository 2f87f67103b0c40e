package kind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// A cluster that does not answer can't show its mark. So what Docker calls its
// nodes is written down too: their ids, which Docker chose and which no other
// container has. The file also names the checkout, so that a copy of it in
// another checkout is worth nothing.

// record is the file of the ids, beside the kubeconfig.
func (c *Cluster) record() string { return c.kept("nodes") }

// writeRecord keeps the ids of the nodes that are there now.
func (c *Cluster) writeRecord(ctx context.Context) error {
	ids, err := c.containers(ctx)
	if err != nil {
		return err
	}
	if err := c.write(c.record(), ids); err != nil {
		return fmt.Errorf("writing down the nodes of cluster %s: %w", c.Name, err)
	}
	return nil
}

// madeHere says whether the containers of the cluster are those that this
// checkout made, without asking the cluster: by the record, or, when its making
// was cut short, by what that had written down until then.
func (c *Cluster) madeHere(ctx context.Context) (bool, error) {
	nodes, err := c.containers(ctx)
	if err != nil || len(nodes) == 0 {
		return false, err
	}
	recorded := append(c.read(c.record()), c.read(c.creating())...)
	for _, id := range nodes {
		if !slices.Contains(recorded, id) {
			return false, nil
		}
	}
	return true, nil
}

// write keeps the ids of containers, under the name of this checkout.
func (c *Cluster) write(file string, ids []string) error {
	return plane.WriteFile(file, []byte(strings.Join(append([]string{c.root}, ids...), "\n")+"\n"))
}

// read returns the lines of a kept file after the first, which must name this checkout.
func (c *Cluster) read(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if lines[0] != c.root {
		return nil
	}
	return lines[1:]
}

// containers returns the ids of the nodes of the cluster.
func (c *Cluster) containers(ctx context.Context) ([]string, error) {
	out, err := docker(ctx, "ps", "-a", "-q", "--no-trunc", "--filter", c.label())
	if err != nil {
		return nil, fmt.Errorf("listing the containers of cluster %s: %w", c.Name, err)
	}
	return slices.Sorted(slices.Values(strings.Fields(out))), nil
}

// label is how Docker's commands name the nodes of the cluster, ours or not.
func (c *Cluster) label() string { return "label=io.x-k8s.kind.cluster=" + c.Name }

func docker(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "docker", args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("%w: %s", err, oneLine(string(exit.Stderr)))
	}
	return string(out), err
}

// byHand is the command that deletes the cluster whoever made it.
func (c *Cluster) byHand() string {
	return fmt.Sprintf("docker rm -f -v $(docker ps -aq --filter %s)", c.label())
}
