package claims

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// DELETED does not say that an object is gone, nor ADDED that it is new: both are about the watch's selector.
//
// covers: B-04
func TestALabelEditMakesALivingObjectDeleted(t *testing.T) {
	f := setup(t)
	version := f.create("a", nil)
	s := f.watch(t, watch.Options{ResourceVersion: version, LabelSelector: "drink=tea"})
	f.label("a", "tea")
	f.label("a", "coffee")
	require.Equal(t, []string{"ADDED a"}, events(t, s, 1), "one object, created before the watch began")
	event, meta, err := next(s)
	require.NoError(t, err)
	require.Equal(t, watch.Deleted, event.Type)
	require.Equal(t, "tea", meta.Labels["drink"], "a DELETED event has the last state that the selector matched")

	var now struct{ Metadata watch.Meta }
	f.Must(http.MethodGet, f.path+"/a", nil, &now)
	require.Equal(t, "coffee", now.Metadata.Labels["drink"], "it lives")
	require.Equal(t, now.Metadata.ResourceVersion, meta.ResourceVersion, "with the version of the edit, to resume from")
}

// The five types of event, each from the real server. An event is a document with two keys.
//
// covers: S3-19
func TestTheFiveTypes(t *testing.T) {
	f := setup(t)
	f.create("a", nil)
	s := f.watch(t, watch.Options{AllowWatchBookmarks: true, SendInitialEvents: "true",
		ResourceVersionMatch: "NotOlderThan"})
	require.Equal(t, []string{"ADDED a"}, events(t, s, 1))
	for { // the one that ends the initial events comes at once; others come when the server likes
		mark, meta, err := next(s)
		require.NoError(t, err)
		require.Equal(t, watch.Bookmark, mark.Type)
		require.Empty(t, meta.Name, "a bookmark is no object")
		require.NotEmpty(t, meta.ResourceVersion, "it is a position")
		if meta.Annotations["k8s.io/initial-events-end"] == "true" {
			break
		}
	}
	f.label("a", "tea")
	f.Must(http.MethodDelete, f.path+"/a", nil, nil)
	require.Equal(t, []string{"MODIFIED a", "DELETED a"}, events(t, s, 2))
	require.Equal(t, watch.Error, forgotten(t, f).Type)
}

// An error can come after the 200: whoever checks the status code only never sees it.
//
// covers: S3-19
func TestAnErrorInsideA200(t *testing.T) {
	f := setup(t)
	var status *watch.StatusError
	require.ErrorAs(t, forgotten(t, f).Err(), &status)
	require.Equal(t, 410, status.Code)
	require.Equal(t, "Expired", status.Reason)
	require.Contains(t, status.Message, "too old resource version: 1 (")
}

// forgotten watches from a version that is older than the server's memory of the kind, and returns the first event. The
// memory of a kind begins when the kind does, so a kind of its own has forgotten all that was before it.
func forgotten(t *testing.T, f *fixture) watch.Event {
	t.Helper()
	s, err := f.client.Watch(t.Context(), f.For(t).NewKind(), watch.Options{ResourceVersion: "1"})
	require.NoError(t, err)
	defer s.Close()
	event, err := s.Next()
	require.NoError(t, err)
	return event
}

// number reads a resourceVersion as a number, which a client must not do outside of a test about the store.
func number(t *testing.T, version string) int {
	t.Helper()
	n, err := strconv.Atoi(version)
	require.NoError(t, err)
	return n
}
