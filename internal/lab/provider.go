package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/kubeconfig"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// Provider is where a cluster comes from.
type Provider string

// The providers, as the variable CLUSTER names them.
const (
	// Local is the control plane of this repository: the one of `make up`, else a private one.
	Local Provider = "local"
	// Kind is a kind cluster, created when it is absent.
	Kind Provider = "kind"
	// Kubeconfig is the reader's own cluster: the current context of KUBECONFIG.
	Kubeconfig Provider = "kubeconfig"
	// Book is the API server that chapter 03 builds: in memory, for demos alone, and each has its own.
	Book Provider = "book"
)

// providerFromEnv reads CLUSTER.
func providerFromEnv() (Provider, error) {
	switch p := Provider(os.Getenv("CLUSTER")); p {
	case "":
		return Local, nil
	case Local, Kind, Kubeconfig, Book:
		return p, nil
	default:
		return "", fmt.Errorf("CLUSTER=%s is none of local, kind, kubeconfig, book: set it to one of them, or unset it "+
			"for local", p)
	}
}

func (p Provider) connect(ctx context.Context, o Options) (*Cluster, error) {
	switch p {
	case Kind:
		return connectKind(ctx, o)
	case Kubeconfig:
		return connectKubeconfig()
	case Book:
		return connectBook(ctx, o)
	}
	return connectLocal(ctx, o)
}

// connectKubeconfig refuses a server that is not on this machine: a tutorial must never touch a production cluster
// because of a variable that was set for something else.
func connectKubeconfig() (*Cluster, error) {
	config, err := kubeconfig.Load("")
	if err != nil {
		return nil, err
	}
	if !config.Loopback() && os.Getenv("ALLOW_REMOTE") != "1" {
		return nil, fmt.Errorf("the context %q of %s is the API server %s, which is not on this machine: nothing was "+
			"sent to it. If you mean it, set ALLOW_REMOTE=1; unset CLUSTER to use a local control plane",
			config.Context, config.Path, config.Server)
	}
	return newCluster(Kubeconfig, "", nil)
}

// connectKind leaves kind, and the packages it links, to a program of its own. Its progress goes to stderr; the last
// line of its output is the path of the cluster's kubeconfig.
func connectKind(ctx context.Context, o Options) (*Cluster, error) {
	if path := os.Getenv(local.SharedEnv); path != "" {
		return newCluster(Kind, path, nil) // the program that started this one has asked already
	}
	cmd := exec.CommandContext(ctx, "go", "run", "./scripts/kind", "ensure")
	dir, err := repo.Root()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, o.Progress
	if err := cmd.Run(); err != nil {
		return nil, errors.Join(fmt.Errorf("a kind cluster: `go run ./scripts/kind ensure`: %w", err),
			context.Cause(ctx))
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return newCluster(Kind, lines[len(lines)-1], nil)
}
