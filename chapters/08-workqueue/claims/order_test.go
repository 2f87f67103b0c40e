package claims

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	upstream "k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

var errFailed = errors.New("failed")

// A line is in the order of adding, and a key that is added again keeps its place. Three keys are not in the order of
// the changes: one that changes while it is processed, one that was added with a delay, and one that failed more
// often.
//
// covers: B-60 S1-21
func TestTheOrderAndItsExceptions(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		q := upstream.NewTypedRateLimitingQueue(upstream.DefaultTypedControllerRateLimiter[string]())
		defer q.ShutDown()
		addAll(q, "a", "b", "a", "c")
		require.Equal(t, []string{"a", "b", "c"}, handed(q))

		addAll(q, "a", "b")
		require.Equal(t, "a", take(t, q))
		addAll(q, "a", "c") // a is with its worker
		q.Done("a")
		got := handed(q)
		require.NotEqual(t, []string{"b", "a", "c"}, got, "the order of changes would have been the belief")
		require.Equal(t, []string{"b", "c", "a"}, got)

		q.AddAfter("a", time.Second)
		q.Add("b")
		pass(time.Second)
		require.Equal(t, []string{"b", "a"}, handed(q))

		q.AddRateLimited("a") // 5 ms
		pass(time.Second)
		require.Equal(t, []string{"a"}, handed(q))
		q.AddRateLimited("a") // 10 ms
		q.AddRateLimited("b") // 5 ms
		pass(time.Second)
		got = handed(q)
		require.NotEqual(t, []string{"a", "b"}, got, "the order of changes would have been the belief")
		require.Equal(t, []string{"b", "a"}, got)
	})
}

// pushy is a line in which a key that is added again goes to the front.
type pushy struct{ items, touched []string }

func (p *pushy) Touch(item string) {
	p.touched = append(p.touched, item)
	at := slices.Index(p.items, item)
	p.items = slices.Insert(slices.Delete(p.items, at, at+1), 0, item)
}
func (p *pushy) Push(item string) { p.items = append(p.items, item) }
func (p *pushy) Len() int         { return len(p.items) }
func (p *pushy) Pop() string {
	item := p.items[0]
	p.items = p.items[1:]
	return item
}

// The line can be another one, which decides the order, and is told by Touch of a key that is added again while it is
// in the line. While the key is with a worker it is not in the line, and nobody is told.
//
// covers: B-60 C-05
func TestALineOfOnesOwn(t *testing.T) {
	line := &pushy{}
	q := upstream.NewTypedWithConfig(upstream.TypedQueueConfig[string]{Queue: line})
	addAll(q, "a", "b", "c", "c")
	require.Equal(t, []string{"c"}, line.touched)
	got := handed(q)
	require.NotEqual(t, []string{"a", "b", "c"}, got, "the order of adding would have been the belief")
	require.Equal(t, []string{"c", "a", "b"}, got)

	line.touched = nil
	q.Add("a")
	require.Equal(t, "a", take(t, q))
	addAll(q, "a", "a", "a")
	require.Empty(t, line.touched)
	q.Done("a")
	require.Equal(t, []string{"a"}, handed(q))
}

// Keys that wait for the same moment come in no order.
//
// covers: B-60
func TestWhatIsReadyAtTheSameMoment(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		q := upstream.NewTypedDelayingQueue[string]()
		defer q.ShutDown()
		for _, item := range []string{"a", "b", "c", "d"} {
			q.AddAfter(item, time.Second)
		}
		pass(time.Second)
		got := handed(q)
		require.NotEqual(t, []string{"a", "b", "c", "d"}, got, "the order of adding would have been the belief")
		require.ElementsMatch(t, []string{"a", "b", "c", "d"}, got)
	})
}
