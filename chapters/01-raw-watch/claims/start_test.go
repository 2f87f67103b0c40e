package claims

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// Where a watch starts: with the objects that are there, unless it is told otherwise.
// "Watch from now" takes two parameters.
//
// covers: B-01
func TestWhereAWatchStarts(t *testing.T) {
	f := setup(t)
	f.create("a", nil)
	version := f.create("b", nil)
	there := []string{"ADDED a", "ADDED b"}
	for name, c := range map[string]struct {
		options watch.Options
		want    []string
	}{
		"no resourceVersion": {watch.Options{}, there},
		"resourceVersion 0":  {watch.Options{ResourceVersion: "0"}, there},
		"initial events":     {watch.Options{SendInitialEvents: "true", ResourceVersionMatch: "NotOlderThan"}, there},
		"no initial events":  {watch.Options{SendInitialEvents: "false", ResourceVersionMatch: "NotOlderThan"}, nil},
		"a version":          {watch.Options{ResourceVersion: version}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.options.TimeoutSeconds = 1
			require.ElementsMatch(t, c.want, untilEnd(t, f.watch(t, c.options)))
		})
	}
}

// List, then watch from the list's resourceVersion:
// nothing between the two is lost, and what was listed does not come again.
//
// covers: S3-04
func TestWatchFromTheListsVersion(t *testing.T) {
	f := setup(t)
	f.create("before", nil)
	page, err := f.client.List(t.Context(), f.path, watch.Options{})
	require.NoError(t, err)
	f.create("between", nil)
	s := f.watch(t, watch.Options{ResourceVersion: page.Metadata.ResourceVersion})
	f.create("after", nil)
	require.Equal(t, []string{"ADDED between", "ADDED after"}, events(t, s, 2))

	// The same for a watch that broke: it goes on after the last event's version.
	f.Must(http.MethodDelete, f.path+"/before", nil, nil)
	event, meta, err := next(s)
	require.NoError(t, err)
	require.Equal(t, watch.Deleted, event.Type)
	require.NoError(t, s.Close())
	f.create("later", nil)
	require.Equal(t, []string{"ADDED later"},
		events(t, f.watch(t, watch.Options{ResourceVersion: meta.ResourceVersion}), 1))
}

// A list and the events after it, folded into a map, are the collection: the local cache that a watch is for.
//
// covers: S3-02
func TestEventsFoldedIntoAMapAreTheCollection(t *testing.T) {
	f := setup(t)
	for _, name := range []string{"a", "b", "c"} {
		f.create(name, nil)
	}
	view := map[string]string{} // name to version
	page, err := f.client.List(t.Context(), f.path, watch.Options{})
	require.NoError(t, err)
	for _, item := range page.Items {
		meta, err := watch.MetaOf(item)
		require.NoError(t, err)
		view[meta.Name] = meta.ResourceVersion
	}
	s := f.watch(t, watch.Options{ResourceVersion: page.Metadata.ResourceVersion})
	f.label("a", "tea")
	f.Must(http.MethodDelete, f.path+"/b", nil, nil)
	f.create("d", nil)
	for range 3 {
		event, meta, err := next(s)
		require.NoError(t, err)
		if event.Type == watch.Deleted {
			delete(view, meta.Name)
		} else {
			view[meta.Name] = meta.ResourceVersion
		}
	}
	page, err = f.client.List(t.Context(), f.path, watch.Options{})
	require.NoError(t, err)
	want := map[string]string{}
	for _, item := range page.Items {
		meta, err := watch.MetaOf(item)
		require.NoError(t, err)
		want[meta.Name] = meta.ResourceVersion
	}
	delete(view, lab.ForeignConfigMap) // it may come at any time
	delete(want, lab.ForeignConfigMap)
	require.Equal(t, want, view)
}

// The API server keeps its objects in a store of its own, and etcd is part of being ready. One counter, the store's,
// gives the versions of all kinds.
//
// covers: S0-05
func TestTheStoreCounts(t *testing.T) {
	f := setup(t)
	resp, body := f.Do(http.MethodGet, "/readyz/etcd", nil)
	require.Equal(t, "200 ok", resp.Status[:3]+" "+string(body))
	a := f.create("a", nil)
	var secret struct{ Metadata watch.Meta }
	f.Must(http.MethodPost, watch.Path("", "v1", f.Namespace, "secrets"),
		object{"apiVersion": "v1", "kind": "Secret", "metadata": object{"name": "s"}}, &secret)
	b := f.create("b", nil)
	require.IsIncreasing(t, []int{number(t, a), number(t, secret.Metadata.ResourceVersion), number(t, b)})
}

// Killed and started again, the API server has every object, at the same version: it keeps nothing itself.
//
// covers: S0-05
func TestTheStoreOutlivesTheAPIServer(t *testing.T) {
	t.Parallel()
	f := on(cluster.Private(t))
	version := f.create("a", nil)
	require.NoError(t, f.Instance.RestartServer(t.Context()))
	require.EventuallyWithT(t, func(c *assert.CollectT) { // the connection to the killed one may be tried first
		page, err := f.client.List(t.Context(), f.path, watch.Options{FieldSelector: "metadata.name=a"})
		require.NoError(c, err)
		require.Len(c, page.Items, 1)
		meta, err := watch.MetaOf(page.Items[0])
		require.NoError(c, err)
		require.Equal(c, version, meta.ResourceVersion)
	}, 20*time.Second, 100*time.Millisecond)
}
