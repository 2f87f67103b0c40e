package record

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// Share starts one control plane for all commands that the blocks show, so that each need not start its own, unless
// the environment names a cluster. Close it when they have run.
func Share(ctx context.Context, blocks []Block, display term.Display) (stop func() error, err error) {
	stop = func() error { return nil }
	needed := false
	for _, b := range blocks {
		needed = needed || strings.Contains(b.Command, "./chapters/")
	}
	if needed && os.Getenv("CLUSTER") == "book" {
		return stop, errors.New("CLUSTER=book is no cluster to record, for the text speaks of kube-apiserver: " +
			"unset CLUSTER")
	}
	if !needed || os.Getenv("CLUSTER") != "" || os.Getenv("SCRATCH_KUBECONFIG") != "" {
		return stop, nil
	}
	instance, err := local.Acquire(ctx, local.Options{Controllers: true, Private: true, Display: display})
	if err != nil {
		return stop, err
	}
	os.Setenv("SCRATCH_KUBECONFIG", instance.Kubeconfig)
	return func() error {
		os.Unsetenv("SCRATCH_KUBECONFIG")
		return instance.Close()
	}, nil
}
