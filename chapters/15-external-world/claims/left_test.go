package claims

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// holderEnv is the environment variable that has this test binary hold a machine, as a demo does, and says in which
// namespace.
const holderEnv = "SCRATCH_15_HOLDER"

// hold has a controller run a Process, says which process that is, and waits to be killed.
func hold(namespace string) error {
	ctx := context.Background()
	c, err := lab.Connect(ctx, lab.Options{})
	if err != nil {
		return err
	}
	c.Namespace = namespace
	w, err := scenario.NewWorld(ctx, &lab.Lab{Cluster: c}, nil)
	if err != nil {
		return err
	}
	if _, err := w.Begin(ctx, scenario.Life{}); err != nil {
		return err
	}
	track, err := w.Track(ctx, w.Process("held", "sleep", "600"), func(string) {})
	if err != nil {
		return err
	}
	if err := track.In(ctx, v1alpha1.PhaseRunning); err != nil {
		return err
	}
	seen, err := w.Machine.Look(track.Now.UID)
	if err != nil {
		return err
	}
	fmt.Println(seen.Identity.PID)
	select {}
}

// A demo that gets a SIGKILL stops nothing any more, and its processes end all the same: it held their leash.
func TestAKilledDemoLeavesNothing(t *testing.T) {
	c := cluster.New(t)
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), holderEnv+"="+c.Namespace, "CLUSTER=kubeconfig", "KUBECONFIG="+c.Kubeconfig,
		"SCRATCH_KUBECONFIG=", "TMPDIR="+t.TempDir())
	holder.Stderr = os.Stderr
	out, err := holder.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, holder.Start())
	var pid int
	_, err = fmt.Fscan(out, &pid)
	require.NoError(t, holder.Process.Kill())
	_ = holder.Wait() // it was killed
	require.NoError(t, err)
	row, ok := scenario.PS(pid)
	shim := row.Parent
	within(t, func() bool {
		_, ok = scenario.PS(pid)
		return !ok
	}, func() string { return fmt.Sprintf("process %d of a demo that was killed runs on", pid) })
	if shim > 1 {
		within(t, func() bool {
			_, ok := scenario.PS(shim)
			return !ok
		}, func() string { return fmt.Sprintf("shim %d of a demo that was killed runs on", shim) })
	}
}
