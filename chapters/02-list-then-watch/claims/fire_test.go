package claims

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// TestUnderFire plays seeds against the real API server: more than 200 faults each, the view equal to
// a fresh LIST, and all values of all objects seen once and in order. Fifty more seeds are played
// in memory, in package scenario.
func TestUnderFire(t *testing.T) {
	f := setup(t)
	for seed := range uint64(2) {
		result, err := f.scene(seed, seed%2 == 1).Play(t.Context())
		require.NoError(t, err, "seed %d", seed)
		require.GreaterOrEqual(t, result.Total, 200, "seed %d", seed)
		for _, kind := range faults.Kinds {
			require.NotZero(t, result.Faults[kind], kind)
		}
	}
}

// TestASeedNamesOneRun plays one seed twice against the real API server, whose clock, bookmarks and
// resourceVersions are different each time.
func TestASeedNamesOneRun(t *testing.T) {
	f := setup(t)
	for _, streaming := range []bool{false, true} {
		first, err := f.scene(5, streaming).Play(t.Context())
		require.NoError(t, err)
		second, err := f.scene(5, streaming).Play(t.Context())
		require.NoError(t, err)
		require.Equal(t, first.Transcript, second.Transcript)
	}
}
