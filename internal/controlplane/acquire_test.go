package controlplane

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAcquireStartsAPrivatePlaneAndCloseLeavesNothing(t *testing.T) {
	begun := time.Now()
	i, err := Acquire(t.Context(), Options{Display: NewDisplay(os.Stderr)})
	require.NoError(t, err)
	t.Logf("acquired in %v: %+v", time.Since(begun), i.Plane)
	begun = time.Now()
	require.NoError(t, i.RestartServer(t.Context()))
	t.Logf("restarted in %v", time.Since(begun))
	begun = time.Now()
	require.NoError(t, i.Close())
	t.Logf("closed in %v", time.Since(begun))
	left, err := ProcessesNaming(i.Dir)
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoDirExists(t, i.Dir)
}
