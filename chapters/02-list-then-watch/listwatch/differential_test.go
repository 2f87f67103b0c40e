package listwatch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch/listwatchtest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// HandleError sleeps between errors, since the last one by the real clock: in a bubble for 27 years.
func init() { utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] }

// follower starts something that follows the ConfigMaps through an HTTP client, and returns how to
// look at what it holds, by name.
type follower func(ctx context.Context, through *http.Client) (view func() map[string]string, wait func())

func ours(ctx context.Context, through *http.Client) (func() map[string]string, func()) {
	c := &listwatch.Client{
		Source: listwatch.Collection{Client: &watch.Client{Server: "http://faults", HTTP: through}, Path: configMaps},
		View:   &listwatch.View{},
	}
	wait := running(func() { c.Run(ctx) })
	return func() map[string]string {
		view := map[string]string{}
		for _, o := range c.View.Objects() {
			view[o.Name] = o.ResourceVersion
		}
		return view
	}, wait
}

// configMaps is the collection that everything here follows.
const configMaps = "/api/v1/namespaces/default/configmaps"

// listWatcher is what a Reflector lists and watches the same collection through.
func listWatcher(through *http.Client) cache.ListerWatcher {
	set, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://faults", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, through)
	if err != nil {
		panic(err)
	}
	return cache.NewListWatchFromClient(set.CoreV1().RESTClient(), "configmaps", "default", fields.Everything())
}

func upstreams(ctx context.Context, through *http.Client) (func() map[string]string, func()) {
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	r := cache.NewReflector(listWatcher(through), &corev1.ConfigMap{}, store, 0)
	wait := running(func() { r.RunWithContext(ctx) })
	return func() map[string]string {
		view := map[string]string{}
		for _, o := range store.List() {
			cm := o.(*corev1.ConfigMap)
			view[cm.Name] = cm.ResourceVersion
		}
		return view
	}, wait
}

// closedAtOnce is a script that the proxy can't play: the second watch ends at once, without an event.
const closedAtOnce = "2.2 close; 3 closed at once"

// shortly is a transport that answers the second watch so.
type shortly struct {
	http.RoundTripper
	watches atomic.Int32
}

func (s *shortly) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Query().Get("watch") != "true" || s.watches.Add(1) != 2 {
		return s.RoundTripper.RoundTrip(r)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: http.NoBody, Request: r}, nil
}

// under has a follower follow eight writes while the script breaks things, and returns what it held
// in the end and how often it listed.
func under(t *testing.T, script string, f follower) (view map[string]string, lists int) {
	t.Helper()
	testkit.Bubble(t, func(t *testing.T) {
		transport, stop := pipe.Serve(listwatchtest.NewServer())
		server := http.RoundTripper(transport)
		if script == closedAtOnce {
			script, server = "2.2 close", &shortly{RoundTripper: transport}
		}
		written, err := faults.Parse(script)
		require.NoError(t, err)
		proxy := faults.New(&url.URL{Scheme: "http", Host: "memory"}, server, written)
		ctx, cancel := context.WithCancel(t.Context())
		held, wait := f(ctx, proxy.Client())
		for i := range 8 {
			time.Sleep(20 * time.Second) // the delays are over, and no watch has lasted its time
			name := fmt.Sprint("cm-", i%3)
			method, path := http.MethodPost, ""
			switch {
			case i == 7:
				method, path = http.MethodDelete, "/"+name
			case i >= 3:
				method, path = http.MethodPut, "/"+name
			}
			req, err := http.NewRequest(method, "http://memory/configmaps"+path,
				strings.NewReader(fmt.Sprintf(`{"metadata":{"name":%q}}`, name)))
			require.NoError(t, err)
			resp, err := transport.RoundTrip(req)
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, resp.StatusCode)
			_, err = fmt.Fscan(resp.Body)
			require.NoError(t, err)
			resp.Body.Close()
		}
		time.Sleep(20 * time.Second)
		view, lists = held(), proxy.Stats().Lists
		cancel()
		wait()
		require.NoError(t, proxy.Close())
		stop()
	})
	return view, lists
}

// TestNeverListsMoreThanAReflector gives client-go's Reflector and our client the same faults: what
// they hold in the end is the same, and ours has not listed more often.
func TestNeverListsMoreThanAReflector(t *testing.T) {
	featuretesting.SetFeatureDuringTest(t, clientfeatures.WatchListClient, false)
	fewer := 0
	for _, script := range []string{
		"", "2.2 cut", "2.2 truncate", "2.2 expired", "2.2 error-event", "2.2 close", "2.2 close; 3 gone",
		"2.2 close; 3 error",
		"2.2 close; 3 unavailable", "2.2 close; 3 too-many 5s", "2.2 close; 3 away 2",
		closedAtOnce, "2.1 cut; 3.1 close; 4.1 expired; 6.1 error-event",
	} {
		ourView, ourLists := under(t, script, ours)
		view, lists := under(t, script, upstreams)
		require.Equal(t, view, ourView, script)
		require.LessOrEqual(t, ourLists, lists, script)
		t.Logf("%-50s LISTs: ours %d, the Reflector's %d", script, ourLists, lists)
		if ourLists < lists {
			fewer++
		}
	}
	require.NotZero(t, fewer, "the Reflector lists for some ends where ours resumes")
}
