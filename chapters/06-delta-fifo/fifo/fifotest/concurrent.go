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
	for _, s := range setups {
		queue := f(s, &known{})
		want, got := map[string][]string{}, map[string][]string{}
		var busy sync.WaitGroup
		for _, key := range []string{"a", "b", "c", "d"} {
			all := make([]string, states)
			for i := range all {
				all[i] = fmt.Sprint(key, i)
			}
			want[key] = all
			busy.Go(func() {
				for _, obj := range all {
					queue.Update(obj)
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
		process := func(obj any, _ bool) error {
			for _, delta := range obj.(cache.Deltas) {
				if text := strings.TrimSuffix(describe(delta.Object), "'"); delta.Type == cache.Updated {
					got[keyIn(text)] = append(got[keyIn(text)], text)
				}
			}
			return nil
		}
		var err error
		for err == nil {
			_, err = queue.Pop(process)
		}
		require.ErrorIs(t, err, cache.ErrFIFOClosed, "with %q", s)
		require.Equal(t, want, got, "with %q", s)
	}
}
