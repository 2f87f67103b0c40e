package claims

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
)

// Of many Processes that are created at once three are started at a time, each once. A status is written when
// something has changed that it tells, and not for each run.
//
// covers: S0-53 S0-69
func TestBurst(t *testing.T) {
	const many, atOnce = 30, 3 // a hundred, on a machine in memory, are in kubelet/starter_test.go
	w := newWorld(t)
	c, err := w.Begin(bounded(t), scenario.Life{})
	require.NoError(t, err)
	for i := range many {
		p := w.Process(fmt.Sprintf("burst-%02d", i), "true")
		p.Spec.RestartPolicy = v1alpha1.RestartNever
		require.NoError(t, w.User.Create(bounded(t), p))
	}
	var done int
	within(t, func() bool {
		var all v1alpha1.ProcessList
		require.NoError(t, w.User.List(bounded(t), &all, client.InNamespace(w.Lab.Namespace)))
		done = 0
		for i := range all.Items {
			if all.Items[i].Status.Phase == v1alpha1.PhaseSucceeded {
				done++
			}
		}
		return done == many
	}, func() string { return fmt.Sprintf("%d of %d have succeeded", done, many) })
	now, most := 0, 0
	for _, e := range c.Events() {
		switch e.Kind {
		case scenario.Starting:
			now++
			most = max(most, now)
		case scenario.Started:
			now--
		}
	}
	require.Equal(t, atOnce, most, "starts at a time")
	require.Equal(t, many, c.Count(scenario.Started))
	runs, writes, world := c.Count(kubelet.EventRun), c.Count(scenario.Write), c.Count(kubelet.EventWorld)
	require.LessOrEqual(t, writes, runs)
	require.LessOrEqual(t, writes, 3*many, "it waits, is started, has ended; some skip one of these")
	t.Logf("%d world events, %d runs, %d statuses written", world, runs, writes)
}

// Whoever may write objects says what runs on the machine. So the objects of a server that is not on this machine start
// nothing, unless somebody has said which programs may run.
func TestARemoteServerStartsNothing(t *testing.T) {
	require.NoError(t, scenario.Local("127.0.0.1", nil))
	require.NoError(t, scenario.Local("::1", nil))
	require.NoError(t, scenario.Local("localhost", nil))
	require.ErrorIs(t, scenario.Local("10.1.2.3", nil), scenario.ErrRemote)
	require.ErrorIs(t, scenario.Local("localhost.example.com", nil), scenario.ErrRemote)
	require.NoError(t, scenario.Local("10.1.2.3", []string{"sleep"}))
}
