package claims

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// TestTheGap: a change between a list and a watch is in neither,
// unless the watch begins where the list ended.
//
// covers: S3-20 S3-23
func TestTheGap(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.create("before")
	list := f.list(t, watch.Options{})
	between := f.create("between")

	require.Empty(t, rest(f.watch(t, watch.Options{SendInitialEvents: "false", ResourceVersionMatch: "NotOlderThan",
		TimeoutSeconds: 1})),
		"a watch from now on tells of it all the same")
	events := rest(f.watch(t, watch.Options{ResourceVersion: list.Metadata.ResourceVersion, TimeoutSeconds: 1}))
	require.Len(t, events, 1)
	meta, err := events[0].Meta()
	require.NoError(t, err)
	require.Equal(t, "between", meta.Name)

	// An event's resourceVersion is the place to resume from: the watch begins after it, not with it.
	require.Equal(t, between, meta.ResourceVersion)
	require.Empty(t, rest(f.watch(t, watch.Options{ResourceVersion: between, TimeoutSeconds: 1})))
}

// TestResourceVersionsAreNumbers: the API's comment calls them opaque, and apimachinery has a function
// to compare two of the same resource.
//
// covers: B-24
func TestResourceVersionsAreNumbers(t *testing.T) {
	order, err := resourceversion.CompareResourceVersion("9", "10")
	require.NoError(t, err)
	require.Negative(t, order, "9 is before 10")
	require.Greater(t, "9", "10", "as text it is not")
	for _, invalid := range []string{"0", ""} {
		_, err := resourceversion.CompareResourceVersion(invalid, "10")
		require.Error(t, err, "%q is no resourceVersion of an object", invalid)
	}
	f := setup(t)
	order, err = resourceversion.CompareResourceVersion(f.create("first"), f.create("second"))
	require.NoError(t, err)
	require.Negative(t, order)
}

// TestFromTheFuture: a list at a resourceVersion that the server has not reached waits three seconds
// and fails; a watch is accepted, and silent.
//
// covers: B-25
func TestFromTheFuture(t *testing.T) {
	t.Parallel()
	f := setup(t)
	now, err := strconv.Atoi(f.create("a"))
	require.NoError(t, err)
	future := strconv.Itoa(now + 1_000_000)

	start := time.Now()
	resp, body := f.Do(http.MethodGet, f.path+"?resourceVersion="+future, nil)
	require.Equal(t, http.StatusGatewayTimeout, resp.StatusCode, "neither the newest state nor a 410")
	require.Contains(t, string(body), "ResourceVersionTooLarge")
	require.GreaterOrEqual(t, time.Since(start), 2900*time.Millisecond)

	stream := f.watch(t, watch.Options{ResourceVersion: future, TimeoutSeconds: 1})
	f.create("b")
	require.Empty(t, rest(stream), "no error, no event")
}

// TestWhatAListMayBeOf: the parameters that say how old a list may be.
//
// covers: C-04
func TestWhatAListMayBeOf(t *testing.T) {
	f := setup(t)
	old := f.create("a")
	f.create("b")
	newest := f.create("c")
	at := func(o watch.Options) []string { t.Helper(); return names(t, f.list(t, o)) }
	all := []string{"a", "b", "c"}

	require.Equal(t, all, at(watch.Options{}), "no resourceVersion: as new as the request")
	require.Equal(t, all, at(watch.Options{ResourceVersion: newest}), "not older than that")
	require.Equal(t, all, at(watch.Options{ResourceVersion: old, ResourceVersionMatch: "NotOlderThan"}),
		"not older is not equal")
	require.Equal(t, []string{"a"}, at(watch.Options{ResourceVersion: old, ResourceVersionMatch: "Exact"}),
		"only Exact gives the past")
	f.list(t, watch.Options{ResourceVersion: "0"}) // any state: what it holds is not promised

	page := f.list(t, watch.Options{Limit: 2})
	require.Equal(t, []string{"a", "b"}, names(t, page))
	f.create("aa")
	next := f.list(t, watch.Options{Limit: 2, Continue: page.Metadata.Continue})
	require.Equal(t, []string{"c"}, names(t, next), "the pages are of one moment")
	require.Equal(t, page.Metadata.ResourceVersion, next.Metadata.ResourceVersion)
	resp, _ := f.Do(http.MethodGet, f.path+"?resourceVersion="+old+"&limit=2&continue="+page.Metadata.Continue, nil)
	require.Equal(t, http.StatusBadRequest, resp.StatusCode, "the token knows of which")
}

// TestStreamingList: the initial events hold what a list holds, in the order of the names and not of the
// resourceVersions, and end with a bookmark that says so; changes follow in the same response.
//
// covers: B-21 C-02
func TestStreamingList(t *testing.T) {
	f := setup(t)
	f.create("b")
	last := f.create("a")
	stream := f.watch(t, watch.Options{SendInitialEvents: "true", ResourceVersionMatch: "NotOlderThan",
		AllowWatchBookmarks: true})
	var got, versions []string
	for {
		event, err := stream.Next()
		require.NoError(t, err)
		meta, err := event.Meta()
		require.NoError(t, err)
		if event.Type == watch.Bookmark {
			require.Equal(t, "true", meta.Annotations["k8s.io/initial-events-end"])
			order, err := resourceversion.CompareResourceVersion(meta.ResourceVersion, last)
			require.NoError(t, err)
			require.GreaterOrEqual(t, order, 0)
			break
		}
		require.Equal(t, watch.Added, event.Type)
		got, versions = append(got, meta.Name), append(versions, meta.ResourceVersion)
	}
	require.Equal(t, names(t, f.list(t, watch.Options{})), got)
	require.Equal(t, last, versions[0], "a was written last, and comes first")

	f.create("c")
	for {
		event, err := stream.Next()
		require.NoError(t, err)
		if event.Type == watch.Added {
			return
		}
		require.Equal(t, watch.Bookmark, event.Type)
	}
}
