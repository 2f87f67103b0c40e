package machine_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

func init() {
	roles["leashed"] = func() {
		leash, held, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		defer held.Close() // and not before: it is killed
		controller(leash)
	}
}

func TestLeash(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	heeds, ignores := newLine(t), newLine(t)
	kill := control(t, "leashed", dir,
		"exec 9>"+heeds.path+"; echo up >&9; read x <"+newLine(t).path,
		"exec 9>"+ignores.path+"; trap '' TERM; echo up >&9; while :; do sleep 60; done")
	require.Equal(t, "up", heeds.hear(t))
	require.Equal(t, "up", ignores.hear(t))
	kill()
	for i, code := range []int{143, 137} {
		r := machine.Run{UID: uid(i), Attempt: 1}
		require.EqualValues(t, code, *ended(t, m, r).Exit.Code)
		shim := lie(t, dir, string(r.UID), func(*started) {}).Session
		require.Eventually(t, func() bool {
			_, alive, err := machine.Identify(shim)
			return err == nil && !alive
		}, wait, tick, "its shim lives")
	}
	heeds.hangUp(t)
	ignores.hangUp(t)
}

// A shim that is told to end stops its command, and says how that ended.
func TestShimIsTerminated(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	seen := start(t, m, shell("a", "read x <$1", newLine(t).path))
	require.NoError(t, unix.Kill(lie(t, dir, "a", func(*started) {}).Session, unix.SIGTERM))
	end := ended(t, m, seen.Spec.Run)
	require.Equal(t, machine.Ended, end.State)
	require.EqualValues(t, 143, *end.Exit.Code)
}
