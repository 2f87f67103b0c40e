package claims

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/kubernetes"
	clientrest "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// reflected runs client-go's reflector on the cluster's ConfigMaps through the fault proxy, writes one of them once the
// first watch is open, and returns the first so many requests.
func reflected(t *testing.T, script string, requests int) []faults.Record {
	t.Helper()
	c := cluster.New(t)
	path := "/api/v1/namespaces/" + c.Namespace + "/configmaps"
	c.Must(http.MethodPost, path, map[string]any{"metadata": map[string]any{"name": "a"}}, nil)
	written, err := faults.Parse(script)
	require.NoError(t, err)
	proxy := faults.New(c.Server, c.HTTPClient().Transport, written)
	defer proxy.Close()
	set, err := kubernetes.NewForConfigAndClient(&clientrest.Config{Host: "http://faults", QPS: -1,
		ContentConfig: clientrest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, proxy.Client())
	require.NoError(t, err)
	lw := cache.NewListWatchFromClient(set.CoreV1().RESTClient(), "configmaps", c.Namespace,
		fields.OneTermEqualSelector("metadata.name", "a"))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	r := cache.NewReflectorWithOptions(lw, &corev1.ConfigMap{}, cache.NewStore(cache.MetaNamespaceKeyFunc),
		cache.ReflectorOptions{Backoff: &wait.Backoff{Duration: time.Millisecond, Steps: 1}})
	done := make(chan struct{})
	go func() { defer close(done); r.RunWithContext(ctx) }()
	require.NoError(t, proxy.Quiet(ctx, func() bool { return true }), "the first watch never became quiet")
	c.Must(http.MethodPut, path+"/a", map[string]any{
		"metadata": map[string]any{"name": "a"}, "data": map[string]any{"written": "twice"}}, nil)
	require.NoError(t, proxy.Quiet(ctx, func() bool { return len(proxy.Records()) >= requests }))
	cancel()
	<-done
	return proxy.Records()
}

// A 410 is followed by a request for state that is not older than what was seen last, and by no fresh list: a streaming
// list, or a list, which the watch cache answers. Only where that is refused, too, the newest state is asked for.
//
// covers: B-18
func TestAfterA410NoOlderState(t *testing.T) {
	records := reflected(t, "1.2 expired; 2 gone", 3)
	require.Equal(t, "true", records[1].Query.Get("sendInitialEvents"), "a LIST would have been the claim")
	require.NotContains(t, []string{"", "0"}, records[1].Query.Get("resourceVersion"))
	require.Equal(t, "true", records[2].Query.Get("sendInitialEvents"))
	require.Empty(t, records[2].Query.Get("resourceVersion"), "the second refusal")

	featuretesting.SetFeatureDuringTest(t, clientfeatures.WatchListClient, false)
	records = reflected(t, "2.1 expired; 3 gone", 5)
	require.Equal(t, []faults.Verb{faults.List, faults.Watch, faults.List, faults.List, faults.Watch},
		[]faults.Verb{records[0].Verb, records[1].Verb, records[2].Verb, records[3].Verb, records[4].Verb})
	require.Equal(t, records[1].Query.Get("resourceVersion"), records[2].Query.Get("resourceVersion"))
	require.Empty(t, records[2].Query.Get("limit"), "without pages, so that the watch cache may answer")
	require.Empty(t, records[3].Query.Get("resourceVersion"), "the second refusal")
}

// What follows depends on the error, and on what was going on. Only some of it is "backoff, and again".
//
// covers: B-19
func TestWhatFollowsAnError(t *testing.T) {
	internal := apierrors.NewInternalError(context.DeadlineExceeded)
	busy := apierrors.NewTooManyRequests("later", 0)
	event := func(err *apierrors.StatusError) watch.Event {
		return watch.Event{Type: watch.Error, Object: &err.ErrStatus}
	}
	filled := events(added("a", "1"), initialEnd("1"), added("b", "2"))
	ended := thenEnds(added("a", "1"), initialEnd("1"), added("b", "2"))
	for name, row := range map[string]struct {
		replies []reply
		next    string
		waits   bool
	}{
		"the watch ends in good order": {[]reply{ended, filled}, `WATCH "2"`, false},
		"the watch ends with a 500": {[]reply{events(added("a", "1"), initialEnd("1"), event(internal)), filled},
			`STREAM "1"`, true},
		"the watch ends with a 429": {[]reply{events(added("a", "1"), initialEnd("1"), event(busy)), filled},
			`WATCH "1"`, true},
		"the next watch is refused with a 429": {[]reply{ended, fails(busy), filled}, `WATCH "2"; WATCH "2"`, true},
		"nobody listens for the next watch": {[]reply{ended, fails(syscall.ECONNREFUSED), filled},
			`WATCH "2"; WATCH "2"`, true},
		"the next watch is refused with a 500": {[]reply{ended, fails(internal), filled},
			`WATCH "2"; STREAM "2"`, true},
		"the next watch has no event": {[]reply{ended, thenEnds(), filled}, `WATCH "2"; STREAM "2"`, true},
		"the streaming list is refused": {[]reply{fails(internal), lists("5"), events()},
			`LIST "0"; WATCH "5"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				source := newSource(row.replies...)
				stop := source.run(t, cache.NewReflector(source, &corev1.ConfigMap{},
					cache.NewStore(cache.MetaNamespaceKeyFunc), 0))
				time.Sleep(1600 * time.Millisecond) // the longest that the first delay can be
				synctest.Wait()
				stop()
				require.Equal(t, row.next, strings.Join(source.asked[1:], "; "))
				last := source.at[len(source.at)-1]
				require.Equal(t, row.waits, last >= 800*time.Millisecond, "after %v", last)
			})
		})
	}
}

// The delays begin at 0.8 s, double, and end at 30 s, each with up to as much again by chance. Upstream's comment says
// that they begin anew after two minutes without one. They begin anew when the first of them is more than two minutes
// old, also while every request fails.
//
// covers: B-19
func TestTheDelays(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		source := newSource(fails(apierrors.NewInternalError(context.DeadlineExceeded)))
		stop := source.run(t, cache.NewReflector(source, &corev1.ConfigMap{}, &mutators{}, 0))
		time.Sleep(time.Hour)
		stop()
		const first, longest = 800 * time.Millisecond, 30 * time.Second
		least, begun, anew := first, time.Duration(0), 0
		for i := 1; i+1 < len(source.at); i += 2 { // each try is a streaming list, and a list at once
			if failed := source.at[i]; failed-begun > 2*time.Minute {
				least, begun = first, failed
				anew++
			}
			delay := source.at[i+1] - source.at[i]
			require.GreaterOrEqual(t, delay, least, "at %v", source.at[i])
			require.Less(t, delay, 2*least, "at %v", source.at[i])
			least = min(2*least, longest)
		}
		require.Greater(t, anew, 10)
	})
}

// heard runs a reflector that tells an error handler, with the replies, and returns what the handler heard.
func heard(t *testing.T, replies ...reply) (told []error) {
	testkit.Bubble(t, func(t *testing.T) {
		var mu sync.Mutex
		source := newSource(replies...)
		informer := cache.NewSharedIndexInformer(source, &corev1.ConfigMap{}, 0, nil)
		require.NoError(t, informer.SetWatchErrorHandlerWithContext(
			func(_ context.Context, r *cache.Reflector, err error) {
				mu.Lock()
				defer mu.Unlock()
				require.NotNil(t, r)
				told = append(told, err)
			}))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); informer.RunWithContext(ctx) }()
		time.Sleep(5 * time.Second)
		cancel()
		<-done
	})
	return told
}

// The watch error handler hears of requests that failed, and of no error that came through a watch: a 410, a 500, and
// a connection that broke pass it by.
//
// covers: B-20 C-08
func TestTheErrorHandlerHearsOfRequestsAlone(t *testing.T) {
	internal := apierrors.NewInternalError(context.DeadlineExceeded)
	gone := apierrors.NewResourceExpired("too old")
	filled := events(added("a", "1"), initialEnd("1"))
	for _, err := range []*apierrors.StatusError{internal, gone} {
		inTheStream := watch.Event{Type: watch.Error, Object: &err.ErrStatus}
		require.Empty(t, heard(t, events(added("a", "1"), initialEnd("1"), inTheStream), filled),
			"as an event: %v", err)
		require.Len(t, heard(t, thenEnds(added("a", "1"), initialEnd("1"), added("b", "2")), fails(err), filled), 1,
			"as the answer to a watch: %v", err)
	}
	require.Empty(t, heard(t, fails(internal), lists("1"), events()),
		"a streaming list that is refused is followed by a list, without a word")
	told := heard(t, fails(internal), fails(internal), filled)
	require.Len(t, told, 1)
	require.ErrorContains(t, told[0], "failed to list *v1.ConfigMap: ")

	forbidden := fails(apierrors.NewForbidden(corev1.Resource("configmaps"), "", errors.New("no rights")))
	told = heard(t, forbidden) // for ever
	require.GreaterOrEqual(t, len(told), 2)
	require.ErrorContains(t, told[1], "failed to list *v1.ConfigMap: configmaps is forbidden")
}

// The handler is set before an informer starts, and the default one wants its reflector.
//
// covers: C-08
func TestTheDefaultErrorHandlerNeedsItsReflector(t *testing.T) {
	require.Panics(t, func() {
		cache.DefaultWatchErrorHandler(t.Context(), nil, apierrors.NewInternalError(context.DeadlineExceeded))
	})
	informer := cache.NewSharedIndexInformer(newSource(lists("1")), &corev1.ConfigMap{}, 0, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	informer.RunWithContext(ctx)
	require.Error(t, informer.SetWatchErrorHandlerWithContext(cache.DefaultWatchErrorHandler))
}
