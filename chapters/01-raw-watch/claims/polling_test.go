package claims

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// Polling has four problems: it pays for what did not change, it misses what happened between two polls, it cannot tell
// a deletion with a new creation from a change, and it is late by up to its period.
// A watch from the list's version has none.
//
// covers: S3-01
func TestWhatAPollMisses(t *testing.T) {
	f := setup(t)
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		f.create(name, nil)
	}
	poll := func() (size int, seen map[string]watch.Meta) {
		_, body := f.Do(http.MethodGet, f.path, nil)
		page, err := f.client.List(t.Context(), f.path, watch.Options{})
		require.NoError(t, err)
		seen = map[string]watch.Meta{}
		for _, item := range page.Items {
			meta, err := watch.MetaOf(item)
			require.NoError(t, err)
			seen[meta.Name] = meta
		}
		return len(body), seen
	}
	page, err := f.client.List(t.Context(), f.path, watch.Options{})
	require.NoError(t, err)
	s := f.watch(t, watch.Options{ResourceVersion: page.Metadata.ResourceVersion})
	_, before := poll()

	f.label("a", "tea") // a change that the next one hides
	f.label("a", "coffee")
	f.create("short", nil) // a whole life between two polls
	f.Must(http.MethodDelete, f.path+"/short", nil, nil)
	f.Must(http.MethodDelete, f.path+"/b", nil, nil) // another object of the same name
	f.create("b", nil)

	size, after := poll()
	require.Equal(t, "coffee", after["a"].Labels["drink"], "the last state only")
	require.NotContains(t, after, "short")
	require.Contains(t, after, "b", "at a glance nothing happened to it")
	require.NotEqual(t, before["b"].UID, after["b"].UID, "who compares UIDs learns that it is another")

	bytes := 0
	var got []string
	for range 6 {
		event, meta, err := next(s)
		require.NoError(t, err)
		got, bytes = append(got, string(event.Type)+" "+meta.Name), bytes+len(event.Object)
	}
	require.Equal(t, []string{"MODIFIED a", "MODIFIED a", "ADDED short", "DELETED short", "DELETED b", "ADDED b"}, got)
	require.Less(t, bytes/6, size/2, "an event is as large as the object that changed, a poll as the collection")

	start := time.Now()
	f.label("c", "tea")
	require.Equal(t, []string{"MODIFIED c"}, events(t, s, 1))
	require.Less(t, time.Since(start), 5*time.Second, "the delay is that of the network, not of a period")
}
