package lab

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	_ "github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/withyaml" // reads kubeconfigs
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// connectLocal takes the control plane that runs, or starts a private one, which is built first if it has to be.
func connectLocal(ctx context.Context, o Options) (*Cluster, error) {
	instance, err := local.Acquire(ctx, local.Options{
		Controllers: o.Controllers, Private: o.Private, ServerFlags: o.ServerFlags,
		Display: term.NewDisplay(o.Progress),
	})
	if err != nil {
		return nil, err
	}
	return ofInstance(Local, instance)
}

// ofInstance makes a cluster of servers that this repository has started. An error stops them, if they are private.
func ofInstance(p Provider, instance *local.Instance) (*Cluster, error) {
	c, err := newOurs(p, instance.Kubeconfig, instance.Close)
	if err != nil {
		return nil, errors.Join(err, instance.Close())
	}
	c.Private, c.Instance = instance.Private, instance
	return c, nil
}

// newOurs reads the kubeconfig of such servers, which is as this repository writes it, or not one of ours.
func newOurs(p Provider, path string, stop func() error) (*Cluster, error) {
	if err := plane.CheckKubeconfig(path); err != nil {
		return nil, err
	}
	return newCluster(p, path, stop)
}

// endWith calls cancel when a local control plane ends before its time, so that nobody waits for its answer. The
// function it returns ends that.
func (c *Cluster) endWith(cancel context.CancelCauseFunc) (stop func()) {
	if c.Instance == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-c.Instance.Failed():
			cancel(fmt.Errorf("%w. %s\n%w", ErrServerGone, c.advice(), c.Instance.Cause()))
		case <-done:
		}
	}()
	return func() { close(done); <-ended }
}

// How long a failed step waits to hear of a server's death: for the time in which a supervisor on a busy machine learns
// of it, and at most while the API server does not answer or everything is being stopped.
const (
	newsWithin = 500 * time.Millisecond
	newsAtMost = 10 * time.Second
)

// awaitEnd gives a local control plane the time to say that one of its servers died, after a step has failed: what the
// step saw is a connection that broke, or an API server without etcd. ctx ends then, and its cause is what the reader
// hears.
//
// Neither an answer of the API server nor one of the supervisor proves that all is well: a process that is killed may
// send one more, and its parent hears of its death a moment later. So it waits that moment first. A step that fails for
// another reason fails as much later.
func (c *Cluster) awaitEnd(ctx context.Context) {
	if c.Instance == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, newsAtMost)
	defer cancel()
	select {
	case <-ctx.Done():
		return
	case <-time.After(newsWithin):
	}
	if c.Instance.Running(ctx) && c.ready(ctx) {
		return
	}
	<-ctx.Done()
}

// ready says whether the API server answers and reaches its etcd.
func (c *Cluster) ready(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return c.call(ctx, http.MethodGet, "/readyz", nil, nil) == nil
}

// Kubectl returns the words that start a kubectl command against the cluster, in the run's namespace: the machine's
// kubectl, or the one that this repository builds.
func (c *Cluster) Kubectl() string {
	words := []string{"kubectl"}
	if _, err := exec.LookPath("kubectl"); err != nil {
		words = []string{"go", "run", "./scripts/kubectl"}
	}
	if c.Provider != Kubeconfig {
		words = append(words, "--kubeconfig", short(c.Kubeconfig))
	}
	if c.Namespace != "" {
		words = append(words, "-n", c.Namespace)
	}
	return strings.Join(words, " ")
}

// Alias shows the command that gives Kubectl a short name in the reader's shell, and returns that name: commands with
// more than a few words would be wider than the page.
func (l *Lab) Alias() string {
	const name = "kc"
	l.Command("alias %s='%s'", name, l.Kubectl())
	return name
}

// short returns a path in the repository as seen from its root, where a reader types.
func short(path string) string {
	root, err := repo.Root()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
