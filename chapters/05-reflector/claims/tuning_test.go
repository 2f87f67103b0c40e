package claims

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
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
// version. With WatchListPageSize each list is in pages of that size.
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

// Where a page comes from is the server's decision. At "0" its watch cache answers, without pages. At a version it
// answers from a snapshot, and with the state of exactly that version; a list without a limit brings a newer one.
//
// covers: C-10
func TestWhereAPageComesFrom(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion)
	c := cluster.New(t)
	things := c.NewKind() // nobody else asks for them
	group := strings.Split(things, "/")[2]
	create := func(name string) {
		c.Must(http.MethodPost, things, map[string]any{"apiVersion": group + "/v1", "kind": "Thing",
			"metadata": map[string]any{"name": name}}, nil)
	}
	type answer struct {
		Metadata struct{ ResourceVersion, Continue string }
		Items    []struct{ Metadata struct{ Name string } }
	}
	list := func(query string) (a answer, names []string) {
		c.Must(http.MethodGet, things+"?"+query, nil, &a)
		for _, item := range a.Items {
			names = append(names, item.Metadata.Name)
		}
		return a, names
	}
	counts := func() (cache, etcd float64) {
		response, page := c.Do(http.MethodGet, "/metrics", nil)
		require.Equal(t, http.StatusOK, response.StatusCode)
		for line := range strings.Lines(string(page)) {
			if !strings.HasPrefix(line, "apiserver_storage_list_total{") || !strings.Contains(line, group) {
				continue
			}
			fields := strings.Fields(line)
			n, err := strconv.ParseFloat(fields[len(fields)-1], 64)
			require.NoError(t, err)
			if strings.Contains(line, `storage="watchcache"`) {
				cache += n
			} else {
				etcd += n
			}
		}
		return cache, etcd
	}
	create("a")
	create("b")
	before, _ := list("")
	create("c")
	list("") // the cache has c when this returns

	cached, read := counts()
	_, names := list("resourceVersion=0&limit=1")
	require.Equal(t, []string{"a", "b", "c"}, names)
	at := "resourceVersion=" + before.Metadata.ResourceVersion
	page, names := list(at + "&limit=1")
	require.Equal(t, []string{"a"}, names)
	require.Equal(t, before.Metadata.ResourceVersion, page.Metadata.ResourceVersion)
	_, names = list("limit=5&continue=" + page.Metadata.Continue)
	require.Equal(t, []string{"b"}, names, "c is younger")
	newer, names := list(at)
	require.Equal(t, []string{"a", "b", "c"}, names)
	require.NotEqual(t, before.Metadata.ResourceVersion, newer.Metadata.ResourceVersion)
	cachedNow, readNow := counts()
	require.Equal(t, read, readNow, "none came from etcd")
	require.GreaterOrEqual(t, cachedNow, cached+4)
}
