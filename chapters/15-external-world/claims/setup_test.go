package claims

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

func TestMain(m *testing.M) {
	machine.RunIfShim()
	scenario.RunIfController()
	klog.SetLogger(logr.Discard()) // or what is refused on purpose is logged
	log.SetLogger(logr.Discard())
	if kubeconfig := os.Getenv(holderEnv); kubeconfig != "" {
		if err := hold(kubeconfig); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	cluster.Main(m)
}

// patience is how long anything may take, on a machine that is busy: a hundred shims that are built with the race
// detector have taken more than a minute beside a build.
const patience = 3 * time.Minute

// newWorld is a machine in a namespace of the test's. Nothing that runs on it outlives the test.
func newWorld(t *testing.T) *scenario.World {
	t.Helper()
	w, err := scenario.NewWorld(t.Context(), &lab.Lab{Cluster: cluster.New(t).Cluster}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close(context.Background())) })
	return w
}

// within looks again and again whether something is so.
func within(t *testing.T, so func() bool, instead func() string) {
	t.Helper()
	ticks := time.NewTicker(10 * time.Millisecond)
	defer ticks.Stop()
	for end := time.After(patience); !so(); {
		select {
		case <-ticks.C:
		case <-end:
			require.FailNow(t, instead(), "after %v", patience)
		}
	}
}

// bounded is a context for one thing that may take as long as anything.
func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}
