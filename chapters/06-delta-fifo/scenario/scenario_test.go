package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/scenario"
)

func configMap(name, resourceVersion string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace: "d", Name: name, ResourceVersion: resourceVersion}}
}

// play makes the calls of a Reflector that lists, lists again without menu, and resyncs.
func play(t *testing.T, s *scenario.Side) {
	t.Helper()
	require.NoError(t, s.Queue.Replace([]any{configMap("hours", "1"), configMap("menu", "2")}, "2"))
	require.NoError(t, s.CatchUp())
	require.NoError(t, s.Queue.Add(configMap("prices", "3")))
	require.NoError(t, s.Queue.Replace([]any{configMap("hours", "1"), configMap("prices", "3")}, "4"))
	require.NoError(t, s.Queue.Resync())
}

// A consumer of RealFIFO does with a list what an informer does: deletions first, then what is there, in the list's
// order. (TestTheConsumerFindsWhatIsGone shows it of client-go's.)
func TestTheConsumerOfRealFIFO(t *testing.T) {
	for name, drain := range map[string]func(*scenario.Side) ([]string, error){
		"one by one": func(s *scenario.Side) ([]string, error) { return s.Drain(s.Process) },
		"in batches": (*scenario.Side).DrainBatches,
	} {
		t.Run(name, func(t *testing.T) {
			s := scenario.NewReal(fifo.Parts{})
			play(t, s)
			lines, err := drain(s)
			require.NoError(t, err)
			require.Equal(t, []string{"Added prices 3", "ReplacedAll [hours, prices]", "SyncAll"}, lines)
			require.Equal(t, []string{"OnAdd(prices)", "OnDelete(tombstone of menu)", "OnUpdate(hours)",
				"OnUpdate(prices)", "OnUpdate(hours)", "OnUpdate(prices)"}, s.Told)
			require.Equal(t, "hours 1, prices 3", s.Versions())
		})
	}
}

// A consumer of DeltaFIFO is told the same, object by object. All three wait already when the resync comes.
func TestTheConsumerOfDeltaFIFO(t *testing.T) {
	s := scenario.NewDelta(fifo.Parts{})
	play(t, s)
	lines, err := s.Drain(s.Process)
	require.NoError(t, err)
	require.Equal(t, []string{"prices: Added 3, Replaced 3", "hours: Replaced 1", "menu: Deleted (tombstone)"}, lines)
	require.Equal(t, []string{"OnAdd(prices)", "OnUpdate(prices)", "OnUpdate(hours)", "OnDelete(tombstone of menu)"},
		s.Told)
	require.Equal(t, "hours 1, prices 3", s.Versions())
}
