package fifotest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"
)

// concurrent lets goroutines update a key each while others ask and re-sync, and one pops. What it pops of each key has
// to be all that there was, in order.
func (f queueFunc) concurrent(t *testing.T, setups []setup) {
	const states = 500
	keys := []string{"a", "b", "c", "d"}
	for _, s := range setups {
		queue := f(s, &known{})
		var busy sync.WaitGroup
		for _, key := range keys {
			busy.Go(func() {
				for i := range states {
					queue.Update(fmt.Sprint(key, i))
				}
			})
		}
		busy.Go(func() {
			for range states {
				queue.HasSynced()
				queue.Resync()
			}
		})
		go func() { busy.Wait(); queue.Close() }()
		popped := map[string]int{}
		process := func(obj any, _ bool) error {
			for _, delta := range obj.(cache.Deltas) {
				text := strings.TrimSuffix(describe(delta.Object), "'")
				key := keyIn(text)
				if delta.Type == cache.Updated && text != fmt.Sprint(key, popped[key]) {
					return fmt.Errorf("expected %s%d\nhappened %s", key, popped[key], text)
				}
				popped[key]++
			}
			return nil
		}
		var err error
		for err == nil {
			_, err = queue.Pop(process)
		}
		require.ErrorIs(t, err, cache.ErrFIFOClosed, "with %q", s)
		for _, key := range keys {
			require.Equal(t, states, popped[key], "states of %s, with %q", key, s)
		}
	}
}
