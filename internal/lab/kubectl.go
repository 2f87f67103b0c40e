package lab

import (
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// Kubectl runs kubectl against one server.
type Kubectl struct {
	// Binary is the program, as [FindKubectl] or [BuildKubectl] returns it.
	Binary string
	// Kubeconfig and Namespace say where the commands go.
	Kubeconfig, Namespace string
	// Cache is the folder for what kubectl keeps of a server's kinds. Empty means the reader's own.
	Cache string
}

// FindKubectl returns the machine's kubectl, or the pinned one, which is built first if it has to be. Progress shows
// that.
func FindKubectl(ctx context.Context, progress io.Writer) (string, error) {
	if path, err := exec.LookPath("kubectl"); err == nil {
		return path, nil
	}
	return BuildKubectl(ctx, progress)
}

// BuildKubectl returns the pinned kubectl, which is built if it has to be.
func BuildKubectl(ctx context.Context, progress io.Writer) (string, error) {
	dir, err := build.Ensure(ctx, term.NewDisplay(progress), plane.Kubectl)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, string(plane.Kubectl)), nil
}

// Command returns a command with these arguments, which reads stdin and ends with ctx.
func (k Kubectl) Command(ctx context.Context, stdin string, args ...string) *exec.Cmd {
	args = append([]string{"--kubeconfig", k.Kubeconfig, "--namespace", k.Namespace}, args...)
	command := exec.CommandContext(ctx, k.Binary, args...)
	command.Stdin = strings.NewReader(stdin)
	if k.Cache != "" {
		command.Env = append(command.Environ(), plane.KubectlCacheEnv+"="+k.Cache)
	}
	return command
}
