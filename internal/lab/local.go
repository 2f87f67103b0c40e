package lab

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// connectLocal takes the control plane that runs, or starts a private one.
func connectLocal(_ context.Context, _ Options) (*Cluster, error) {
	if path := os.Getenv("SCRATCH_KUBECONFIG"); path != "" {
		return newCluster(Local, path, nil)
	}
	return nil, errors.New("no local control plane yet: set SCRATCH_KUBECONFIG to a kubeconfig")
}

// root returns the folder of the repository's go.mod.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("this is not the repository: run the command from its folder")
}

// Kubectl returns the words that start a kubectl command against the cluster in the run's namespace: the machine's kubectl,
// or the one that this repository builds.
func (c *Cluster) Kubectl() string {
	words := []string{"kubectl"}
	if _, err := exec.LookPath("kubectl"); err != nil {
		words = []string{"go", "run", "./scripts/kubectl"}
	}
	if c.Provider != Kubeconfig {
		words = append(words, "--kubeconfig", c.Kubeconfig)
	}
	if c.Namespace != "" {
		words = append(words, "-n", c.Namespace)
	}
	return strings.Join(words, " ")
}
