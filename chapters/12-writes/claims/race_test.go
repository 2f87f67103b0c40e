package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// yard is a test's namespace, with what the demo writes with.
type yard struct {
	*cluster.Cluster
	user client.WithWatch
	over *scenario.Wire
}

func newYard(t *testing.T) *yard {
	t.Helper()
	c := cluster.New(t)
	config := kube.RESTConfig(t, c.Cluster)
	installer, err := dynamic.NewForConfigAndClient(config, c.HTTPClient())
	require.NoError(t, err)
	require.NoError(t, install.CRDs(t.Context(), installer))
	user, err := client.NewWithWatch(config, client.Options{HTTPClient: c.HTTPClient(), Scheme: scenario.Known()})
	require.NoError(t, err)
	return &yard{c, user, &scenario.Wire{Client: c.HTTPClient()}}
}

func (y *yard) url(s scenario.Subject) string { return s.URL(y.Server.String(), y.Namespace) }

// Two writers read, and then both write: each loss that a way allows happens, and no other. Objects are versioned as a
// whole, so that a lock refuses also who wants another field; a patch without one leaves alone what it does not hold.
//
// covers: S0-18 S0-42 S0-45 S0-50 S0-51 B-82
func TestWhatEachWayLoses(t *testing.T) {
	y := newYard(t)
	for _, way := range writes.Ways() {
		for k, s := range []scenario.Subject{scenario.PodTemplate(), scenario.Process()} {
			for c, change := range s.Changes {
				o, err := scenario.Forced(t.Context(), y.over, y.over, y.url(s), s, change, way)
				require.NoError(t, err)
				require.Equal(t, scenario.Outcomes[way.Name][k][c], o.String(), "%s, %s of a %s: %v", way.Name,
					change.Name, s.Kind, o.Bodies)
			}
		}
	}
	require.Len(t, scenario.Outcomes, len(writes.Ways()))
}

// replaces are those that may take away what another writer alone has written: a whole object, and the map that was not
// there when it was read.
var replaces = map[string]bool{"update without a version": true, "JSON patch": true}

// Eight writers race. All that the API server accepted, done again one after the other in the order of the versions,
// gives the object that it has. What is lost was made from a counter that was another one by then, and a lock accepts
// no such write. Who applies and leaves a field to its owner adds less, and can even take the field away.
//
// covers: S0-18 S0-40 S0-42 S0-49 S0-51
func TestARaceLosesWhatItsWayAllows(t *testing.T) {
	const racers, rounds = 8, 5
	y := newYard(t)
	url := y.url(scenario.PodTemplate())
	for _, way := range writes.Ways() {
		r := scenario.Race{Way: way, Writers: racers, Rounds: rounds}
		tally, err := r.Run(t.Context(), y.HTTPClient(), url)
		require.NoError(t, err, way.Name)
		require.NoError(t, tally.Replay(), way.Name)
		require.Len(t, tally.Accepted, racers*rounds, way.Name)
		if way.Name != "apply" { // where giving up can take the counter away, and all begin anew
			require.GreaterOrEqual(t, tally.Lost(), 0, way.Name)
			require.Equal(t, tally.Stale() > 0, tally.Lost() > 0, "%s: %d are stale, %d are lost",
				way.Name, tally.Stale(), tally.Lost())
		}
		if scenario.Keeps[way.Name] {
			require.Zero(t, tally.Stale(), way.Name)
			require.Zero(t, tally.Lost(), way.Name)
		}
		if !replaces[way.Name] {
			require.Zero(t, tally.Overwritten, way.Name)
		}
		if tally.GaveUp == 0 {
			require.Equal(t, racers*rounds, tally.Added, way.Name)
		}
	}
}
