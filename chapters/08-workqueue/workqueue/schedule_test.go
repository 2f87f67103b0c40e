package workqueue_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	upstream "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// entry is an item of a model, which is a slice in the order in which the items leave.
type entry struct {
	item int
	at   time.Time
}

// A schedule does what a sorted slice does.
func TestSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule := workqueue.NewSchedule[int]()
		var model []entry
		remove := func(item int) {
			model = slices.DeleteFunc(model, func(e entry) bool { return e.item == item })
		}
		draw := func() (item int, at time.Time) {
			item = rapid.IntRange(0, 20).Draw(t, "item")
			return item, time.Unix(int64(rapid.IntRange(0, 15).Draw(t, "time")), 0)
		}
		t.Repeat(map[string]func(*rapid.T){
			"Add": func(t *rapid.T) {
				item, at := draw()
				i := slices.IndexFunc(model, func(e entry) bool { return e.item == item })
				isNews := i < 0 || at.Before(model[i].at)
				if isNews {
					remove(item)
					model = append(model, entry{item, at})
					slices.SortStableFunc(model, func(a, b entry) int { return a.at.Compare(b.at) })
				}
				require.Equal(t, isNews && model[0].item == item, schedule.Add(item, at))
			},
			"Due": func(t *rapid.T) {
				_, now := draw()
				item, some := schedule.Due(now)
				require.Equal(t, len(model) > 0 && !model[0].at.After(now), some)
				if some {
					require.Equal(t, model[0].item, item)
					remove(item)
				}
			},
			"Remove": func(t *rapid.T) {
				item, _ := draw()
				schedule.Remove(item)
				remove(item)
			},
			"": func(t *rapid.T) {
				at, some := schedule.Next()
				require.Equal(t, len(model) > 0, some)
				if some {
					require.Equal(t, model[0].at, at)
				}
			},
		})
	})
}

// Who joins a line first leaves it first, however long it was before and however much was taken from it.
func TestLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queue := workqueue.New(upstream.TypedQueueConfig[int]{})
		defer queue.ShutDown()
		first, next := 0, 0
		for _, length := range rapid.SliceOfN(rapid.IntRange(0, 3000), 1, 20).Draw(t, "lengths") {
			for ; next-first < length; next++ {
				queue.Add(next)
			}
			for ; next-first > length; first++ {
				item, _ := queue.Get()
				if item != first {
					t.Fatalf("Get: expected %d, happened %d", first, item)
				}
				queue.Done(item)
			}
			require.Equal(t, length, queue.Len())
		}
	})
}

// No time is missed that comes while the alarm looks for the next one.
func TestTimesThatComeAtOnce(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		queue := workqueue.NewDelaying(upstream.TypedDelayingQueueConfig[int]{})
		defer queue.ShutDown()
		for range 3000 {
			var adding sync.WaitGroup
			for item := range 3 {
				adding.Go(func() { queue.AddAfter(item, time.Duration(3-item)*time.Millisecond) })
			}
			adding.Wait()
			for n := range 3 {
				time.Sleep(time.Millisecond)
				synctest.Wait()
				require.Equal(t, n+1, queue.Len())
			}
			for range 3 {
				item, _ := queue.Get()
				queue.Done(item)
			}
		}
	})
}

// An alarm that is told to look while it does looks once more, and one that was stopped looks no more.
func TestAlarm(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		var looks atomic.Int64
		var alarm *workqueue.Alarm
		alarm = workqueue.NewAlarm(clock.RealClock{}, func() (time.Duration, bool) {
			n := looks.Add(1)
			if n == 2 {
				alarm.Look()
			}
			return time.Second, n == 3
		})
		synctest.Wait()
		require.EqualValues(t, 1, looks.Load())
		alarm.Look()
		synctest.Wait()
		require.EqualValues(t, 3, looks.Load())
		time.Sleep(time.Minute)
		synctest.Wait()
		require.EqualValues(t, 4, looks.Load(), "a second later, and not again")
		alarm.Stop()
		alarm.Look()
		alarm.Stop()
		synctest.Wait()
		require.EqualValues(t, 4, looks.Load())
	})
}
