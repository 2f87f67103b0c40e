package cluster

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Kubectl is the pinned kubectl for one server, in a test.
type Kubectl struct {
	lab.Kubectl
	t testing.TB
}

// KubectlFor returns a kubectl for the server of a kubeconfig. The first test that asks for one builds it. What kubectl
// caches of the server's kinds is the test's own: the reader's is left alone.
func KubectlFor(t testing.TB, kubeconfig, namespace string) Kubectl {
	t.Helper()
	binary, err := lab.BuildKubectl(context.Background(), os.Stderr)
	if err != nil {
		t.Fatalf("kubectl for a test: %v", err)
	}
	return Kubectl{lab.Kubectl{Binary: binary, Kubeconfig: kubeconfig, Namespace: namespace, Cache: t.TempDir()}, t}
}

// Start starts a command that runs until the test ends or kills it.
func (k Kubectl) Start(args ...string) *exec.Cmd { return k.Command(k.t.Context(), "", args...) }

// Try runs a command that may fail and returns all that it printed.
func (k Kubectl) Try(stdin string, args ...string) (string, error) {
	k.t.Helper()
	out, err := k.Command(k.t.Context(), stdin, args...).CombinedOutput()
	return string(out), err
}

// Run runs a command that has to succeed and returns what it printed on stdout.
func (k Kubectl) Run(args ...string) string {
	k.t.Helper()
	command := k.Command(k.t.Context(), "", args...)
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		k.t.Fatalf("kubectl %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

// Kubectl runs kubectl against the cluster, in the test's namespace: [Kubectl.Run].
func (c *Cluster) Kubectl(args ...string) string {
	c.t.Helper()
	return KubectlFor(c.t, c.Kubeconfig, c.Namespace).Run(args...)
}

// TryKubectl is [Cluster.Kubectl] for a command that may fail: [Kubectl.Try].
func (c *Cluster) TryKubectl(args ...string) (string, error) {
	c.t.Helper()
	return KubectlFor(c.t, c.Kubeconfig, c.Namespace).Try("", args...)
}
