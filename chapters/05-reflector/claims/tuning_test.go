package claims

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// tuned runs a reflector for a while, and returns what it asked.
func tuned(t *testing.T, lasting time.Duration, o cache.ReflectorOptions, change func(*cache.Reflector),
	replies ...reply) *source {
	var s *source
	testkit.Bubble(t, func(t *testing.T) {
		s = newSource(replies...)
		r := cache.NewReflectorWithOptions(s, &corev1.ConfigMap{}, &mutators{}, o)
		if change != nil {
			change(r)
		}
		stop := s.run(t, r)
		time.Sleep(lasting)
		stop()
	})
	return s
}

// A reflector asks for watches that last from five to ten minutes, or longer where it is told so.
//
// covers: C-10
func TestTheShortestTimeOfAWatch(t *testing.T) {
	seconds := func(shortest time.Duration) int64 {
		s := tuned(t, 0, cache.ReflectorOptions{MinWatchTimeout: shortest}, nil, events(initialEnd("1")))
		return *s.options[0].TimeoutSeconds
	}
	require.GreaterOrEqual(t, seconds(time.Minute), int64(300), "less than five minutes counts for nothing")
	require.LessOrEqual(t, seconds(time.Minute), int64(600))
	require.GreaterOrEqual(t, seconds(time.Hour), int64(3600))
	require.LessOrEqual(t, seconds(time.Hour), int64(7200))
}

// The delays of a reflector can be chosen.
//
// covers: C-10
func TestTheDelaysCanBeChosen(t *testing.T) {
	s := tuned(t, time.Second+time.Millisecond,
		cache.ReflectorOptions{Backoff: &wait.Backoff{Duration: 100 * time.Millisecond, Steps: 1, Factor: 1}}, nil,
		fails(apierrors.NewInternalError(context.DeadlineExceeded)))
	require.Len(t, s.asked, 2*11, "a streaming list and a list, eleven times within a second")
}

// With MaxInternalErrorRetryDuration a 500 in the stream is followed by a watch, and by no list.
//
// covers: B-19 C-10
func TestInternalErrorsCanBeRetried(t *testing.T) {
	internal := apierrors.NewInternalError(context.DeadlineExceeded)
	broken := events(added("a", "1"), initialEnd("1"), watch.Event{Type: watch.Error, Object: &internal.ErrStatus})
	s := tuned(t, 0, cache.ReflectorOptions{}, func(r *cache.Reflector) {
		r.MaxInternalErrorRetryDuration = time.Minute
	}, broken, events())
	require.Equal(t, []string{`STREAM ""`, `WATCH "1"`}, s.asked)
}

// Where it lists, a reflector asks for pages of 500, which the watch cache ignores, and of no size once it knows a
// version. With WatchListPageSize each list is in pages of that size, and each comes from etcd.
//
// covers: C-10
func TestTheSizeOfPages(t *testing.T) {
	internal := fails(apierrors.NewInternalError(context.DeadlineExceeded))
	limits := func(size int64) []int64 {
		s := tuned(t, time.Minute, cache.ReflectorOptions{}, func(r *cache.Reflector) { r.WatchListPageSize = size },
			internal, lists("1"), internal, internal, lists("2"), events())
		return []int64{s.options[1].Limit, s.options[4].Limit}
	}
	require.Equal(t, []int64{500, 0}, limits(0))
	require.Equal(t, []int64{10, 10}, limits(10))
}
