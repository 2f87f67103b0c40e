package fifotest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// waits pops the first of so many objects, and adds one meanwhile, which has to wait until process returns, or must
// not. The time is real: who waits for a lock would stop the time of a bubble. It takes a moment to believe that
// somebody waits, and a longer one, which seldom passes, to believe that nobody comes.
func (f queueFunc) waits(t *testing.T, s setup, objects int, want bool) {
	patience := map[bool]time.Duration{true: 100 * time.Millisecond, false: 5 * time.Second}[want]
	queue := f(s, &known{})
	for i := range objects {
		require.NoError(t, queue.Add(fmt.Sprint("a", i)))
	}
	waited := false
	added := make(chan error, 1)
	_, err := queue.Pop(func(any, bool) error {
		go func() { added <- queue.Add("z1") }()
		select {
		case err := <-added:
			added <- err
		case <-time.After(patience):
			waited = true
		}
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, <-added)
	if waited != want {
		t.Errorf("Add while process runs, with %q and %d objects: does it wait?\nexpected %v\nhappened %v", s, objects,
			want, waited)
	}
}
