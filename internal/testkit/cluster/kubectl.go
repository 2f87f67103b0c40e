package cluster

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
)

// Kubectl runs the pinned kubectl against the cluster, in the test's namespace, and returns what it printed on stdout. A
// failure fails the test. The first test that needs it builds it.
func (c *Cluster) Kubectl(args ...string) string {
	c.t.Helper()
	out, err := c.TryKubectl(args...)
	if err != nil {
		c.t.Fatalf("kubectl %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// TryKubectl is [Cluster.Kubectl] for a command that may fail. Its output is that of stdout and of stderr then.
func (c *Cluster) TryKubectl(args ...string) (string, error) {
	c.t.Helper()
	dir, err := controlplane.Ensure(c.t.Context(), controlplane.Quiet(), controlplane.Kubectl)
	if err != nil {
		c.t.Fatalf("kubectl for a test: %v", err)
	}
	args = append([]string{"--kubeconfig", c.Kubeconfig, "--namespace", c.Namespace}, args...)
	cmd := exec.CommandContext(c.t.Context(), filepath.Join(dir, string(controlplane.Kubectl)), args...)
	// What kubectl caches of the server's kinds belongs to the reader's home, and tests leave that alone.
	cmd.Env = append(cmd.Environ(), "KUBECACHEDIR="+c.t.TempDir())
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String() + stderr.String(), err
	}
	return stdout.String(), nil
}
