package kindcluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A cluster that does not answer can't show its mark. So what Docker calls its
// nodes is written down too: their ids, which Docker chose and which no other
// container has. The file also names the checkout, so that a copy of it in
// another checkout is worth nothing.

// record is the file of the ids, beside the kubeconfig.
func (c *Cluster) record() string { return c.kept("nodes") }

// writeRecord keeps the ids of the nodes that are there now.
func (c *Cluster) writeRecord(ctx context.Context) error {
	nodes, err := c.containers(ctx)
	if err != nil {
		return err
	}
	ids := make([]string, 0, len(nodes))
	for id := range nodes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	text := c.root + "\n" + strings.Join(ids, "\n") + "\n"
	if err := os.WriteFile(c.record(), []byte(text), 0o600); err != nil {
		return fmt.Errorf("writing down the nodes of cluster %s: %w", c.Name, err)
	}
	return nil
}

// madeHere says whether the containers of the cluster are those that this
// checkout made, without asking the cluster: by the record, or, when its making
// was cut short, by the time at which it began.
func (c *Cluster) madeHere(ctx context.Context) (bool, error) {
	nodes, err := c.containers(ctx)
	if err != nil || len(nodes) == 0 {
		return false, err
	}
	recorded := c.read(c.record())
	began := time.Time{}
	if lines := c.read(c.creating()); len(lines) == 1 {
		began, _ = time.Parse(time.RFC3339, lines[0])
	}
	for id, created := range nodes {
		if !slices.Contains(recorded, id) && !within(began, created) {
			return false, nil
		}
	}
	return true, nil
}

// within says whether a container was made while a cluster was: there was none
// of its name when that began. The clock of Docker's machine may be another.
func within(began, created time.Time) bool {
	const clocks, longest = time.Minute, 15 * time.Minute
	return !began.IsZero() && created.After(began.Add(-clocks)) && created.Before(began.Add(longest))
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

// containers returns when the nodes of the cluster were made, by their ids.
func (c *Cluster) containers(ctx context.Context) (map[string]time.Time, error) {
	out, err := docker(ctx, "ps", "-a", "-q", "--no-trunc", "--filter", "label=io.x-k8s.kind.cluster="+c.Name)
	if err != nil {
		return nil, fmt.Errorf("listing the containers of cluster %s: %w", c.Name, err)
	}
	nodes := map[string]time.Time{}
	for _, id := range strings.Fields(out) {
		out, err := docker(ctx, "inspect", "--format", "{{.Created}}", id)
		if err != nil {
			return nil, fmt.Errorf("asking when container %.12s of cluster %s was made: %w", id, c.Name, err)
		}
		if nodes[id], err = time.Parse(time.RFC3339, strings.TrimSpace(out)); err != nil {
			return nil, fmt.Errorf("asking when container %.12s of cluster %s was made: %w", id, c.Name, err)
		}
	}
	return nodes, nil
}

func docker(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "docker", args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("%w: %s", err, oneLine(string(exit.Stderr)))
	}
	return string(out), err
}

// byHand is the command that deletes the cluster whoever made it.
func (c *Cluster) byHand() string {
	return fmt.Sprintf("docker rm -f -v $(docker ps -aq --filter label=io.x-k8s.kind.cluster=%s)", c.Name)
}
