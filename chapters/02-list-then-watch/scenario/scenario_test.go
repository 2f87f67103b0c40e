package scenario_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch/listwatchtest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// requests is how many requests of a run meet faults: enough for more than 200 faults.
const requests = 300

// play plays a seed against the server in memory, in a bubble: only there do 50 seeds take seconds.
func play(t *testing.T, seed uint64, requests int, streaming bool, kinds ...faults.Kind) (result *scenario.Result) {
	t.Helper()
	testkit.Bubble(t, func(t *testing.T) {
		transport, stop := pipe.Serve(listwatchtest.NewServer())
		defer stop()
		var err error
		result, err = scenario.Run{
			Server: &url.URL{Scheme: "http", Host: "memory"}, Transport: transport, Namespace: "default",
			Seed: seed, Script: faults.Seeded(seed, requests, kinds...), Requests: requests + 1, Streaming: streaming,
		}.Play(context.Background())
		require.NoError(t, err, "seed %d, streaming %v", seed, streaming)
	})
	return result
}

// TestFiftySeeds: whatever goes wrong, the view is the server's in the end, and each object's values
// were seen all, once, in the order in which they were written. Play checks that.
//
// covers: S3-29
func TestFiftySeeds(t *testing.T) {
	for seed := range uint64(50) {
		result := play(t, seed, requests, seed%2 == 1)
		require.GreaterOrEqual(t, result.Total, 200, "seed %d", seed)
		for _, kind := range faults.Kinds {
			require.NotZero(t, result.Faults[kind], "seed %d has no %s", seed, kind)
		}
	}
}

// TestASeedNamesOneRun: the same seed gives the same requests, faults, and states of the client.
func TestASeedNamesOneRun(t *testing.T) {
	for _, streaming := range []bool{false, true} {
		first, second := play(t, 7, requests, streaming), play(t, 7, requests, streaming)
		other := play(t, 8, requests, streaming)
		require.Equal(t, first.Transcript, second.Transcript)
		require.NotEqual(t, first.Transcript, other.Transcript)
	}
}

// TestEachKindAlone has nothing but one kind of fault happen, so that a failure has a name.
func TestEachKindAlone(t *testing.T) {
	for _, kind := range faults.Kinds {
		for _, streaming := range []bool{false, true} {
			result := play(t, 1, 60, streaming, kind)
			require.GreaterOrEqual(t, result.Faults[kind], 10, kind)
		}
	}
}
