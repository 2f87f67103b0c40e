package storage

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReplayBeginsAfterTheRevision(t *testing.T) {
	s := open(Options{})
	for i := range 4 {
		put(t, s, thing("n", "a"), i, nil) // revisions 2 to 5
	}
	for after, want := range map[uint64][]string{
		1: {"ADDED n/a@2", "MODIFIED n/a@3", "MODIFIED n/a@4", "MODIFIED n/a@5"},
		3: {"MODIFIED n/a@4", "MODIFIED n/a@5"},
		5: {},
	} {
		w, err := s.Watch(Query{Resource: things}, after, false)
		require.NoError(t, err)
		assert.Equal(t, want, brief(w.Initial), "after %d", after)
		w.Stop()
	}
}

// The edge of the window, from both sides.
func TestWindow(t *testing.T) {
	s := open(Options{History: 3})
	for i := range 5 {
		put(t, s, thing("n", "a"), i, nil) // revisions 2 to 6; the window has 4, 5, 6
	}
	w, err := s.Watch(Query{Resource: things}, 3, false)
	require.NoError(t, err, "nothing after 3 is forgotten")
	assert.Equal(t, []string{"MODIFIED n/a@4", "MODIFIED n/a@5", "MODIFIED n/a@6"}, brief(w.Initial))
	w.Stop()
	_, err = s.Watch(Query{Resource: things}, 2, false)
	assert.EqualError(t, err, "too old resource version: 2 (3)")
	_, err = s.Watch(Query{Resource: things}, 7, false)
	assert.ErrorIs(t, err, ErrFuture)
	w, err = s.Watch(Query{Resource: things}, 2, true)
	require.NoError(t, err, "the present state needs no window")
	w.Stop()
}

func TestWindowBeginsWithTheResource(t *testing.T) {
	s := open(Options{})
	put(t, s, thing("n", "a"), 1, nil)
	s.Install("late")
	_, err := s.Watch(Query{Resource: "late"}, 1, false)
	assert.EqualError(t, err, "too old resource version: 1 (2)")
	w, err := s.Watch(Query{Resource: "late"}, 2, false)
	require.NoError(t, err)
	w.Stop()
}

func TestStateThenChangesWithoutAGap(t *testing.T) {
	s := open(Options{})
	put(t, s, thing("n", "b"), 1, nil)
	put(t, s, thing("n", "a"), 1, nil)
	w, err := s.Watch(Query{Resource: things}, 0, true)
	require.NoError(t, err)
	defer w.Stop()
	put(t, s, thing("n", "c"), 1, nil)
	assert.Equal(t, []string{"ADDED n/a@3", "ADDED n/b@2"}, brief(w.Initial),
		"sorted by name, each at its own revision")
	assert.Equal(t, uint64(3), w.Revision)
	assert.Equal(t, []string{"ADDED n/c@4"}, brief(queued(w)))
}

// What the same writes look like to watchers that ask for a part.
func TestSelectors(t *testing.T) {
	s := open(Options{})
	queries := map[string]Query{
		"all":        {Resource: things},
		"namespace":  {Resource: things, Namespace: "n"},
		"other":      {Resource: things, Namespace: "m"},
		"name":       {Resource: things, Fields: fieldSelector("metadata.name=a")},
		"name in n":  {Resource: things, Namespace: "n", Fields: fieldSelector("metadata.name=a")},
		"not a":      {Resource: things, Fields: fieldSelector("metadata.name!=a")},
		"web":        {Resource: things, Labels: selector("tier=web")},
		"in web":     {Resource: things, Namespace: "n", Labels: selector("tier in (web)")},
		"web or db":  {Resource: things, Labels: selector("tier in (web,db)")},
		"not web":    {Resource: things, Labels: selector("tier!=web")},
		"web, blue":  {Resource: things, Labels: selector("tier=web,colour=blue")},
		"everything": {Resource: things, Labels: selector(""), Fields: fieldSelector("")},
	}
	watchers := map[string]*Watcher{}
	for name, q := range queries {
		w, err := s.Watch(q, 1, false)
		require.NoError(t, err)
		watchers[name] = w
	}
	key := thing("n", "a")
	put(t, s, key, 1, map[string]string{"tier": "web"})
	put(t, s, key, 2, map[string]string{"tier": "web", "colour": "blue"})
	put(t, s, key, 2, map[string]string{"tier": "db"})
	now, err := s.Get(key)
	require.NoError(t, err)
	_, err = s.Delete(key, now.Revision)
	require.NoError(t, err)

	whole := []string{"ADDED n/a@2", "MODIFIED n/a@3", "MODIFIED n/a@4", "DELETED n/a@5"}
	web := []string{"ADDED n/a@2", "MODIFIED n/a@3", "DELETED n/a@4"}
	for name, want := range map[string][]string{
		"all": whole, "namespace": whole, "other": {}, "name": whole, "name in n": whole, "not a": {},
		"web": web, "in web": web, "web or db": whole, "everything": whole,
		"not web":   {"ADDED n/a@4", "DELETED n/a@5"},
		"web, blue": {"ADDED n/a@3", "DELETED n/a@4"},
	} {
		live := queued(watchers[name])
		assert.Equal(t, want, brief(live), "live, %s", name)
		watchers[name].Stop()
		replayed, err := s.Watch(queries[name], 1, false)
		require.NoError(t, err)
		assert.Equal(t, want, brief(replayed.Initial), "replayed, %s", name)
		for i, e := range replayed.Initial {
			assert.Equal(t, e.Revision, e.Object.Revision)
			assert.Contains(t, string(e.Object.JSON), fmt.Sprintf(`"resourceVersion":"%d"`, e.Revision))
			assert.Equal(t, string(live[i].Object.JSON), string(e.Object.JSON))
		}
		replayed.Stop()
	}
	assert.Zero(t, s.Watchers())
	assert.Empty(t, s.watchers, "no empty shelf is left")
}

// A watcher that does not read is evicted; the writer and the others do not notice.
func TestSlowWatcherIsEvicted(t *testing.T) {
	s := open(Options{Buffer: 3})
	slow, err := s.Watch(Query{Resource: things}, 1, false)
	require.NoError(t, err)
	quick, err := s.Watch(Query{Resource: things}, 1, false)
	require.NoError(t, err)
	var got []Event
	for i := range 10 {
		put(t, s, thing("n", "a"), i, nil) // returns: nobody reads from slow
		got = append(got, queued(quick)...)
	}
	assert.Len(t, got, 10)
	assert.Equal(t, 1, s.Watchers(), "the slow one is evicted, the quick one is not")

	// What was queued can be read, then the channel is closed: the reader knows where to resume.
	last := queued(slow)
	assert.Equal(t, []string{"ADDED n/a@2", "MODIFIED n/a@3", "MODIFIED n/a@4"}, brief(last))
	_, open := <-slow.Events()
	assert.False(t, open)
	slow.Stop() // a second end is none
	resumed, err := s.Watch(Query{Resource: things}, last[2].Revision, false)
	require.NoError(t, err)
	assert.Len(t, resumed.Initial, 7)
	resumed.Stop()
	quick.Stop()
}

func TestBookmarkComesAfterWhatItSpeaksFor(t *testing.T) {
	s := open(Options{Buffer: 2})
	w, err := s.Watch(Query{Resource: things, Namespace: "n"}, 1, false)
	require.NoError(t, err)
	defer w.Stop()
	put(t, s, thing("n", "a"), 1, nil)
	put(t, s, thing("m", "a"), 1, nil) // none of its business, but the revision moves
	w.Bookmark()
	w.Bookmark() // no room: left out, and no reason to evict
	assert.Equal(t, []string{"ADDED n/a@2", "BOOKMARK@3"}, brief(queued(w)))
	assert.Equal(t, 1, s.Watchers())
}
