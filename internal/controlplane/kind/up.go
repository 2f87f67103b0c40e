package kind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/kind/pkg/cluster"
	"sigs.k8s.io/kind/pkg/exec"
)

// Up makes sure that the cluster is there and answers, and returns the path of
// its kubeconfig. A cluster of that name that this checkout did not make is
// left as it is, with an error that says so. A second Up that runs at the same
// time waits for the first.
func (c *Cluster) Up(ctx context.Context) (string, error) {
	if err := Engine(ctx); err != nil {
		return "", err
	}
	if err := c.prepare(); err != nil {
		return "", err
	}
	unlock, err := c.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	exists, err := c.exists()
	if err != nil {
		return "", err
	}
	if exists {
		return c.adopt(ctx)
	}
	return c.create(ctx)
}

// adopt takes a cluster that is already there: ours is used, one whose making
// was cut short is made again, and anyone else's is refused.
func (c *Cluster) adopt(ctx context.Context) (string, error) {
	made, err := c.madeHere(ctx)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(c.creating()); err == nil && made {
		fmt.Fprintf(c.out, "The making of cluster %s was cut short before. Deleting what is there and making it anew.\n", c.Name)
		if err := c.remove(); err != nil {
			return "", err
		}
		return c.create(ctx)
	}
	kubeconfig, err := c.export()
	if err != nil {
		return "", err
	}
	if err := c.checkMark(ctx, kubeconfig); err != nil {
		return "", err
	}
	if !made { // by an earlier version of this repository, or the file is gone
		if err := c.writeRecord(ctx); err != nil {
			return "", err
		}
	}
	nodes, err := c.provider.ListNodes(c.Name)
	if err != nil {
		return "", fmt.Errorf("listing the nodes of cluster %s: %w", c.Name, said(err))
	}
	if c.Nodes != 0 && len(nodes) != c.Nodes {
		return "", fmt.Errorf("cluster %s is there with %d nodes, and %d were asked for: run make kind-down first",
			c.Name, len(nodes), c.Nodes)
	}
	return kubeconfig, nil
}

func (c *Cluster) create(ctx context.Context) (string, error) {
	if _, err := os.Stat(c.Config); err != nil {
		return "", fmt.Errorf("the kind config can't be read: %w", err)
	}
	if err := c.write(c.creating(), nil); err != nil {
		return "", fmt.Errorf("writing down that cluster %s is being made: %w", c.Name, err)
	}
	options := []cluster.CreateOption{
		cluster.CreateWithConfigFile(c.Config),
		cluster.CreateWithKubeconfigPath(c.Kubeconfig()),
		cluster.CreateWithWaitForReady(3 * time.Minute),
		cluster.CreateWithDisplayUsage(false),
		cluster.CreateWithDisplaySalutation(false),
	}
	if c.Image != "" {
		options = append(options, cluster.CreateWithNodeImage(c.Image))
	}
	fmt.Fprintf(c.out, "Making kind cluster %s: about half a minute, longer when the node image has to be pulled "+
		"first.\n", c.Name)
	// kind's Create knows no context: a Ctrl-C reaches the docker commands that
	// it runs, as they are in our process group, and kind then deletes what it made.
	watched := c.watchMaking(ctx)
	err := c.provider.Create(c.Name, options...)
	watched()
	if err != nil {
		// A config that kind refuses makes nothing; deleting nothing is no error.
		if removed := c.remove(); removed != nil {
			return "", errors.Join(c.explain(err), removed)
		}
		return "", c.explain(err)
	}
	if ctx.Err() != nil {
		return "", errors.Join(context.Cause(ctx), c.remove())
	}
	if err := errors.Join(c.mark(ctx, c.Kubeconfig()), c.writeRecord(ctx)); err != nil {
		return "", errors.Join(err, c.remove())
	}
	return c.Kubeconfig(), os.Remove(c.creating())
}

// Down deletes the cluster if this checkout made it, also one whose nodes are
// stopped or broken. One that is not there is no error.
func (c *Cluster) Down(ctx context.Context) error {
	if err := Engine(ctx); err != nil {
		return err
	}
	if err := c.prepare(); err != nil {
		return err
	}
	unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	exists, err := c.exists()
	if err != nil {
		return err
	}
	if !exists {
		fmt.Fprintf(c.out, "There is no kind cluster %s.\n", c.Name)
		return c.forget()
	}
	made, err := c.madeHere(ctx)
	if err != nil {
		return err
	}
	if !made { // then the cluster itself has to say it
		kubeconfig, err := c.export()
		if err != nil {
			return err
		}
		if err := c.checkMark(ctx, kubeconfig); err != nil {
			return err
		}
	}
	if err := c.remove(); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Deleted kind cluster %s.\n", c.Name)
	return nil
}

func (c *Cluster) remove() error {
	// Not even a kubeconfig that can't be read keeps kind from deleting the cluster.
	if err := os.Remove(c.Kubeconfig()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing the kubeconfig of cluster %s: %w", c.Name, err)
	}
	if err := c.provider.Delete(c.Name, c.Kubeconfig()); err != nil {
		return fmt.Errorf("deleting cluster %s: %w", c.Name, said(err))
	}
	return c.forget()
}

// forget removes what is kept about a cluster that is gone.
func (c *Cluster) forget() error {
	for _, file := range []string{c.Kubeconfig(), c.creating(), c.record()} {
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("removing what is kept about cluster %s: %w", c.Name, err)
		}
	}
	return nil
}

func (c *Cluster) exists() (bool, error) {
	names, err := c.provider.List()
	if err != nil {
		return false, fmt.Errorf("listing kind clusters: %w", said(err))
	}
	return slices.Contains(names, c.Name), nil
}

func (c *Cluster) export() (string, error) {
	if err := c.provider.ExportKubeConfig(c.Name, c.Kubeconfig(), false); err != nil {
		return "", fmt.Errorf("reading the kubeconfig of cluster %s: %w. "+
			"If its containers are stopped, docker start them; if it is yours, delete it: %s", c.Name, said(err), c.byHand())
	}
	return c.Kubeconfig(), os.Chmod(c.Kubeconfig(), 0o600)
}

// explain turns what kind and docker said into what happened and what to do next.
func (c *Cluster) explain(err error) error {
	output := ""
	if run := exec.RunErrorForError(err); run != nil {
		output = string(run.Output)
	}
	image := c.Image
	if image == "" {
		image = "kind's default node image"
	}
	switch text := output + err.Error(); {
	case strings.Contains(text, "failed to pull image"), strings.Contains(text, "No such image"),
		strings.Contains(text, "manifest unknown"), strings.Contains(text, "pull access denied"):
		return fmt.Errorf("making cluster %s: %s is neither in the Docker engine nor can it be pulled. "+
			"Name an image you have in KIND_IMAGE (docker image ls kindest/node), or pull it where there is a "+
			"network: %w", c.Name, image, said(err))
	case strings.Contains(text, "port is already allocated"), strings.Contains(text, "address already in use"):
		return fmt.Errorf("making cluster %s: a port it needs is taken. Free it, or choose another in %s: %w",
			c.Name, c.Config, said(err))
	}
	return fmt.Errorf("making kind cluster %s: %w", c.Name, said(err))
}

// said adds to an error of kind's what docker printed, which kind leaves out.
func said(err error) error {
	run := exec.RunErrorForError(err)
	if run == nil || len(run.Output) == 0 {
		return err
	}
	return fmt.Errorf("%w\ndocker said: %s", err, strings.TrimSpace(string(run.Output)))
}
