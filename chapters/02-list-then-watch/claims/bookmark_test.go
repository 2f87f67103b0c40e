package claims

import (
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
)

// TestBookmarks: bookmarks come when asked for, long before the minute that is written everywhere, and
// not at all otherwise; each is a place to resume from. The widespread code that stores what an event
// brings makes an object of it.
//
// covers: S3-22 B-14 B-15
func TestBookmarks(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.create("quiet")
	from := f.list(t, watch.Options{}).Metadata.ResourceVersion
	const seconds = 6
	with := f.watch(t, watch.Options{ResourceVersion: from, AllowWatchBookmarks: true, TimeoutSeconds: seconds})
	without := f.watch(t, watch.Options{ResourceVersion: from, TimeoutSeconds: seconds})
	setup(t).create("elsewhere") // a bookmark has to be newer than where the watch began

	start := time.Now()
	bookmark, err := with.Next()
	require.NoError(t, err)
	require.Equal(t, watch.Bookmark, bookmark.Type, "nothing happened, and yet there is an event")
	require.Less(t, time.Since(start), seconds*time.Second, "not every minute")
	require.Empty(t, rest(without), "not unless they are asked for")

	// Kind and apiVersion are there, and a resourceVersion; no name.
	var whole struct{ Kind, APIVersion string }
	require.NoError(t, json.Unmarshal(bookmark.Object, &whole))
	require.Equal(t, "ConfigMap", whole.Kind)
	meta, err := bookmark.Meta()
	require.NoError(t, err)
	require.NotEmpty(t, meta.ResourceVersion)
	require.Empty(t, meta.Key())
	naive := map[string]watch.Meta{}
	if bookmark.Type != watch.Deleted { // what is no deletion is stored
		naive[meta.Key()] = meta
	}
	require.Contains(t, naive, "", "a ghost without a name")
}

// TestFromListToBookmarkToReconnect is what the chapter is about, against the real server.
//
// covers: S3-21
func TestFromListToBookmarkToReconnect(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.create("a")
	list := f.list(t, watch.Options{})
	first := f.watch(t, watch.Options{ResourceVersion: list.Metadata.ResourceVersion, AllowWatchBookmarks: true,
		TimeoutSeconds: 4})
	f.create("b")
	at := list.Metadata.ResourceVersion
	var seen []string
	bookmarks := 0
	for {
		event, err := first.Next()
		if err == io.EOF {
			break // the server ends the watch in good order
		}
		require.NoError(t, err)
		meta, err := event.Meta()
		require.NoError(t, err)
		at = meta.ResourceVersion
		if event.Type == watch.Bookmark {
			bookmarks++
			continue
		}
		seen = append(seen, meta.Name)
	}
	require.Positive(t, bookmarks, "the place to go on from is a bookmark's")
	f.create("c") // while nobody watches
	second := f.watch(t, watch.Options{ResourceVersion: at, TimeoutSeconds: 1})
	for _, event := range rest(second) {
		meta, err := event.Meta()
		require.NoError(t, err)
		seen = append(seen, meta.Name)
	}
	require.Equal(t, []string{"b", "c"}, seen, "each change once, across the reconnect")
}

var _ listwatch.Stream = (*watch.Stream)(nil)
