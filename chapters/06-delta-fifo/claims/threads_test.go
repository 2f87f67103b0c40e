package claims

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// A Pop of an empty queue waits, and gives the lock back meanwhile: others add. What they add wakes it, and so does
// Close.
//
// covers: S3-39
func TestAPopWaitsWithoutTheLock(t *testing.T) {
	for name, q := range map[string]func() cache.Queue{
		"DeltaFIFO": func() cache.Queue { return deltaFIFO(known()) },
		"RealFIFO":  func() cache.Queue { return atomic() },
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				q := q()
				results := make(chan error)
				for range 2 {
					go func() {
						_, err := q.Pop(func(any, bool) error { return nil })
						results <- err
					}()
				}
				time.Sleep(time.Minute) // both wait, and neither polls
				do(t, q.Add(configMap("a", "1")))
				require.NoError(t, <-results)
				synctest.Wait()
				require.Empty(t, results, "one item, one Pop")
				q.Close()
				require.ErrorIs(t, <-results, cache.ErrFIFOClosed)
			})
		})
	}
}

// An informer's queue gives its lock back while what was popped is processed, so that its reflector can go on. A
// DeltaFIFO does not, and neither does the informer's when two batches of a thousand wait.
//
// covers: S3-30 S3-35 B-39
func TestWhoWaitsWhileADeltaIsProcessed(t *testing.T) {
	crowded := atomic()
	for i := range 2001 {
		do(t, crowded.Add(configMap(fmt.Sprint(i), "1")))
	}
	for name, row := range map[string]struct {
		queue cache.Queue
		waits bool
	}{
		"DeltaFIFO":                          {deltaFIFO(known()), true},
		"RealFIFO":                           {atomic(), false},
		"RealFIFO in which two batches wait": {crowded, true},
	} {
		t.Run(name, func(t *testing.T) {
			do(t, row.queue.Add(configMap("first", "1")))
			var added chan struct{}
			_, err := row.queue.Pop(func(any, bool) error {
				added = make(chan struct{})
				go func() {
					defer close(added)
					_ = row.queue.Add(configMap("second", "2"))
				}()
				if row.waits {
					select {
					case <-added:
						t.Error("Add has returned, and the lock is not held")
					case <-time.After(50 * time.Millisecond): // not long enough would be no failure
					}
					return nil
				}
				<-added // the test would hang, and go test would say where
				return nil
			})
			require.NoError(t, err)
			<-added
		})
	}
}

// Two that pop from an informer's queue process at the same time: the order is lost, and so is what keeps two
// goroutines from one object. One reflector writes and one consumer pops.
//
// covers: B-38
func TestTwoConsumersOverlap(t *testing.T) {
	q := atomic()
	do(t, q.Add(configMap("a", "1")), q.Update(configMap("a", "2")))
	var inside sync.WaitGroup
	inside.Add(2)
	var done sync.WaitGroup
	for range 2 {
		done.Go(func() {
			_, err := q.Pop(func(any, bool) error {
				inside.Done()
				inside.Wait() // both are in here, with two deltas of one object
				return nil
			})
			require.NoError(t, err)
		})
	}
	done.Wait()
}
