package listwatch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// scripted is a Source that does as it is told, and writes down what it was asked.
type scripted struct {
	lists   []func() (*watch.List, error)
	watches [][]any // events and the error that ends the stream; nothing more waits for the end
	asked   []string
	at      []time.Duration // when, since the start
	start   time.Time
	over    chan struct{}
}

func (s *scripted) note(what string, o watch.Options) {
	if o.ResourceVersion != "" {
		what += " from " + o.ResourceVersion
	}
	if o.SendInitialEvents != "" {
		what += " with initial events"
	}
	if o.Continue != "" {
		what += " continue " + o.Continue
	}
	if o.Limit != 0 {
		what += fmt.Sprint(" limit ", o.Limit)
	}
	s.asked, s.at = append(s.asked, what), append(s.at, time.Since(s.start))
}

func (s *scripted) List(_ context.Context, o watch.Options) (*watch.List, error) {
	s.note("LIST", o)
	f := s.lists[0]
	s.lists = s.lists[1:]
	return f()
}

func (s *scripted) Watch(ctx context.Context, o watch.Options) (listwatch.Stream, error) {
	s.note("WATCH", o)
	if len(s.watches) == 0 {
		close(s.over)
		return &stream{ctx: ctx}, nil
	}
	w := s.watches[0]
	s.watches = s.watches[1:]
	if err, ok := w[0].(error); ok && errors.As(err, new(refused)) {
		return nil, errors.Unwrap(err)
	}
	return &stream{ctx, w}, nil
}

// refused marks an error of the request itself.
type refused struct{ error }

func (r refused) Unwrap() error { return r.error }

type stream struct {
	ctx  context.Context
	left []any
}

func (s *stream) Close() error { return nil }

func (s *stream) Next() (watch.Event, error) {
	for len(s.left) > 0 {
		next := s.left[0]
		s.left = s.left[1:]
		switch next := next.(type) {
		case watch.Event:
			return next, nil
		case error:
			return watch.Event{}, next
		case time.Duration:
			time.Sleep(next)
		}
	}
	<-s.ctx.Done()
	return watch.Event{}, context.Cause(s.ctx)
}

// thing is an object's JSON.
func thing(name, uid, resourceVersion string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"metadata":{"name":%q,"uid":%q,"resourceVersion":%q}}`, name,
		uid, resourceVersion))
}

func event(t watch.EventType, name, resourceVersion string) watch.Event {
	return watch.Event{Type: t, Object: thing(name, name, resourceVersion)}
}

func failure(code, after int) watch.Event {
	return watch.Event{Type: watch.Error, Object: json.RawMessage(fmt.Sprintf(`{"code":%d,"reason":"R","details":{"retryAfterSeconds":%d}}`, code, after))}
}

var initialEnd = watch.Event{Type: watch.Bookmark, Object: json.RawMessage(
	`{"metadata":{"resourceVersion":"60","annotations":{"k8s.io/initial-events-end":"true"}}}`)}

// page is a page of a list.
func page(resourceVersion, more string, items ...json.RawMessage) func() (*watch.List, error) {
	return func() (*watch.List, error) {
		l := &watch.List{Items: items}
		l.Metadata.ResourceVersion, l.Metadata.Continue = resourceVersion, more
		return l, nil
	}
}

func fails(err error) func() (*watch.List, error) {
	return func() (*watch.List, error) { return nil, err }
}

// follow runs a client in a bubble until the source has nothing left.
func follow(t *testing.T, s *scripted, streaming bool) (names []string) {
	t.Helper()
	for _, o := range followed(t, s, streaming) {
		name, _, _ := strings.Cut(o, " ")
		names = append(names, name)
	}
	return names
}

// followed is follow, and says of each object at which resourceVersion it is.
func followed(t *testing.T, s *scripted, streaming bool) (objects []string) {
	t.Helper()
	testkit.Bubble(t, func(t *testing.T) {
		s.start, s.over = time.Now(), make(chan struct{})
		view := &listwatch.View{}
		c := &listwatch.Client{Source: s, View: view, Streaming: streaming, Backoff: &listwatch.Backoff{
			Base: time.Second, Cap: 8 * time.Second, Reset: 2 * time.Minute, Rand: func() float64 { return 0 }}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		<-s.over
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		for name, o := range view.Objects() {
			objects = append(objects, name+" at "+o.ResourceVersion)
		}
	})
	slices.Sort(objects)
	return objects
}

// TestEachEnd: what the next request is, and after what time, for each way in which a watch ends.
//
// covers: S3-29
func TestEachEnd(t *testing.T) {
	status := func(code, after int) error { return failure(code, after).Err() }
	for name, end := range map[string]struct {
		watch []any
		next  string
		after time.Duration
	}{
		"in good order":                {[]any{event(watch.Modified, "a", "21"), io.EOF}, "WATCH from 21", 0},
		"in good order without events": {[]any{time.Minute, io.EOF}, "WATCH from 20", time.Minute},
		"at once":                      {[]any{io.EOF}, "WATCH from 20", time.Second},
		"cut": {
			[]any{event(watch.Added, "b", "22"), io.ErrUnexpectedEOF},
			"WATCH from 22", time.Second,
		},
		"after a bookmark": {
			[]any{event(watch.Bookmark, "", "90"), io.ErrUnexpectedEOF},
			"WATCH from 90", time.Second,
		},
		"after a deletion": {
			[]any{event(watch.Deleted, "a", "23"), io.EOF},
			"WATCH from 23", 0,
		},
		"stalled": {
			[]any{event(watch.Modified, "a", "21")},
			"WATCH from 21", 2*time.Minute + time.Second,
		},
		"410 in the stream": {
			[]any{event(watch.Modified, "a", "21"), failure(410, 0)},
			"LIST limit 500", time.Second,
		},
		"410 as a status": {[]any{refused{status(410, 0)}}, "LIST limit 500", time.Second},
		"500 in the stream": {
			[]any{event(watch.Modified, "a", "21"), failure(500, 0)},
			"WATCH from 21", time.Second,
		},
		"503 as a status":        {[]any{refused{status(503, 0)}}, "WATCH from 20", time.Second},
		"429 with a Retry-After": {[]any{refused{status(429, 7)}}, "WATCH from 20", 7 * time.Second},
		"nobody there": {
			[]any{refused{errors.New("connection refused")}},
			"WATCH from 20", time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scripted{
				lists: []func() (*watch.List, error){page("20", "", thing("a", "a", "9")),
					page("30", "", thing("a", "a", "9"))},
				watches: [][]any{end.watch},
			}
			follow(t, s, false)
			require.Equal(t, []string{"LIST limit 500", "WATCH from 20", end.next}, s.asked[:3])
			require.Equal(t, end.after, s.at[2]-s.at[1])
		})
	}
}

// TestPages: a token that expires costs the pages so far, and the list that follows has no pages.
func TestPages(t *testing.T) {
	s := &scripted{lists: []func() (*watch.List, error){
		page("20", "t1", thing("a", "a", "1")), fails(failure(410, 0).Err()),
		page("30", "", thing("b", "b", "2"), thing("c", "c", "3")),
	}}
	require.Equal(t, []string{"b", "c"}, follow(t, s, false))
	require.Equal(t, []string{"LIST limit 500", "LIST continue t1 limit 500", "LIST", "WATCH from 30"}, s.asked)
}

// TestStreamingList: nothing before the bookmark is kept or resumed from.
func TestStreamingList(t *testing.T) {
	s := &scripted{watches: [][]any{
		{event(watch.Added, "a", "90"), event(watch.Added, "b", "50"), io.EOF},
		{event(watch.Added, "b", "50"), initialEnd, event(watch.Added, "c", "61"), io.EOF},
		{refused{failure(410, 0).Err()}},
		{event(watch.Added, "d", "70"), initialEnd, io.ErrUnexpectedEOF},
	}}
	require.Equal(t, []string{"d"}, follow(t, s, true))
	require.Equal(t, []string{
		"WATCH with initial events", "WATCH with initial events", "WATCH from 61",
		"WATCH with initial events", "WATCH from 60",
	}, s.asked)
}

// TestStreamingListWithChanges: a change that comes before the bookmark belongs to the list,
// as in upstream's Reflector.
func TestStreamingListWithChanges(t *testing.T) {
	s := &scripted{watches: [][]any{{
		event(watch.Added, "a", "40"), event(watch.Added, "b", "50"),
		event(watch.Modified, "a", "57"), event(watch.Deleted, "b", "58"), event(watch.Added, "c", "59"),
		initialEnd, io.EOF,
	}}}
	require.Equal(t, []string{"a at 57", "c at 59"}, followed(t, s, true))
}

// TestServerWithoutStreamingLists: it refuses the parameter, and is asked for a list from then on.
func TestServerWithoutStreamingLists(t *testing.T) {
	s := &scripted{
		lists:   []func() (*watch.List, error){page("20", "", thing("a", "a", "1"))},
		watches: [][]any{{refused{failure(422, 0).Err()}}},
	}
	require.Equal(t, []string{"a"}, follow(t, s, true))
	require.Equal(t, []string{"WATCH with initial events", "LIST limit 500", "WATCH from 20"}, s.asked)
}

// TestReplace: a list tells of deletions by what it lacks, and a name that was used again is another object.
func TestReplace(t *testing.T) {
	var told []string
	v := &listwatch.View{OnChange: func(t watch.EventType, o listwatch.Object) {
		told = append(told, fmt.Sprint(t, " ", o.Name, " ", o.UID, " ", o.ResourceVersion))
	}}
	require.NoError(t, v.Replace([]json.RawMessage{thing("a", "1", "5"), thing("b", "2", "6"), thing("c", "3", "7")}))
	told = nil
	require.NoError(t, v.Replace([]json.RawMessage{thing("a", "1", "5"), thing("c", "8", "11")}))
	require.Equal(t, []string{"DELETED b 2 6", "DELETED c 3 7", "ADDED c 8 11"}, told)
	require.Len(t, v.Objects(), 2)
}

// TestReplaceIsOneStep: whoever reads the view sees one list or the other, and never a mixture of two moments.
func TestReplaceIsOneStep(t *testing.T) {
	v := &listwatch.View{}
	require.NoError(t, v.Replace([]json.RawMessage{thing("a", "1", "5"), thing("b", "2", "6")}))
	changes := 0
	v.OnChange = func(watch.EventType, listwatch.Object) {
		changes++
		names := slices.Sorted(maps.Keys(v.Objects()))
		require.Equal(t, []string{"c", "d"}, names, "at change %d", changes)
	}
	require.NoError(t, v.Replace([]json.RawMessage{thing("c", "3", "7"), thing("d", "4", "8")}))
	require.Equal(t, 4, changes)
}

// TestBackoff: for any history of failures, a delay is between Base and twice Cap, is never shorter than
// the one before without a long time between them, and is short again after one.
func TestBackoff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := listwatch.Backoff{Base: time.Second, Cap: 30 * time.Second, Reset: 2 * time.Minute,
			Rand: func() float64 { return 0 }}
		now, last := time.Unix(0, 0), time.Duration(0)
		for i, gap := range rapid.SliceOfN(rapid.Int64Range(0, 300), 1, 100).Draw(t, "seconds between failures") {
			now = now.Add(time.Duration(gap) * time.Second)
			d := b.Next(now)
			switch {
			case i == 0 || gap > 120:
				require.Equal(t, b.Base, d)
			default:
				require.Equal(t, min(2*last, b.Cap), d)
			}
			last = d
		}
	})
	b := listwatch.Backoff{Base: time.Second, Cap: 30 * time.Second, Reset: time.Minute,
		Rand: func() float64 { return 0.75 }}
	require.Equal(t, 1750*time.Millisecond, b.Next(time.Now()), "the random part is added")
}
