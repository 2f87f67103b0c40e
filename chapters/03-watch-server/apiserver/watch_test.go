package apiserver

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestWatchBeginsInFourWays(t *testing.T) {
	for query, want := range map[string][]string{
		"":                   {"ADDED a@4", "ADDED b@3", "ADDED c@5"},
		"&resourceVersion=0": {"ADDED a@4", "ADDED b@3", "ADDED c@5"},
		"&resourceVersion=2": {"ADDED b@3", "MODIFIED a@4", "ADDED c@5"},
		"&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan": {
			"ADDED a@4", "ADDED b@3", "BOOKMARK @4", "ADDED c@5"},
		"&sendInitialEvents=false&resourceVersionMatch=NotOlderThan":                   {"ADDED c@5"},
		"&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0": {"ADDED c@5"},
		"&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=3": {"MODIFIED a@4", "ADDED c@5"},
	} {
		t.Run(query, func(t *testing.T) {
			bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
				s.put("a", "1")
				s.put("b", "1")
				s.put("a", "2")
				w := s.watch(query)
				synctest.Wait()
				s.put("c", "1")
				w.want(want...)
			})
		})
	}
}

func TestInitialEventsEndIsABookmarkWithAnAnnotation(t *testing.T) {
	bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
		s.put("a", "1")
		w := s.watch("&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
		w.want("ADDED a@2")
		e, _ := w.next()
		assert.Equal(t, "BOOKMARK", e.Type)
		assert.Equal(t, "ConfigMap", e.Object.Kind)
		assert.Equal(t, "2", e.Object.Metadata.ResourceVersion)
		assert.Equal(t, map[string]string{"k8s.io/initial-events-end": "true"}, e.Object.Metadata.Annotations)
		require.NoError(t, w.body.Close())
	})
}

// What is wrong with a watch is told in the stream, after a 200: the header has gone by then.
func TestTooOldIsAnErrorEventInA200(t *testing.T) {
	bubble(t, Options{}, storage.Options{History: 2}, func(t *testing.T, s *running) {
		for i := range 5 {
			s.put("a", fmt.Sprint(i)) // revisions 2 to 6; the window has 5 and 6
		}
		w := s.watch("&resourceVersion=3")
		e, _ := w.next()
		assert.Equal(t, "ERROR", e.Type)
		assert.Equal(t, 410, e.Object.Code)
		assert.Equal(t, "too old resource version: 3 (4)", e.Object.Message)
		_, more := w.next()
		assert.False(t, more, "the stream ends after an ERROR")

		w = s.watch("&resourceVersion=4")
		w.want("MODIFIED a@5", "MODIFIED a@6")
		require.NoError(t, w.body.Close())

		w = s.watch("&resourceVersion=6") // the newest is not too old
		synctest.Wait()
		s.put("a", "again")
		w.want("MODIFIED a@7")
		require.NoError(t, w.body.Close())

		w = s.watch("&resourceVersion=99")
		e, _ = w.next()
		assert.Equal(t, 504, e.Object.Code)
		assert.Contains(t, e.Object.Message, "Too large resource version: 99, current: 7")
	})
}

func TestTimeoutIsACleanEnd(t *testing.T) {
	bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
		begin := time.Now()
		w := s.watch("&timeoutSeconds=5")
		_, more := w.next()
		assert.False(t, more)
		assert.Equal(t, 5*time.Second, time.Since(begin))
		begin = time.Now()
		_, more = s.watch("").next()
		assert.False(t, more)
		assert.Equal(t, 30*time.Minute, time.Since(begin), "a watch that did not say ends too")
	})
}

func TestBookmarksOnAQuietWatch(t *testing.T) {
	bubble(t, Options{BookmarkEvery: time.Minute}, storage.Options{}, func(t *testing.T, s *running) {
		begin := time.Now()
		with := s.watch("&allowWatchBookmarks=true&resourceVersion=1&timeoutSeconds=150&fieldSelector=metadata.name=none")
		s.put("a", "1")
		for _, at := range []time.Duration{60 * time.Second, 120 * time.Second, 148 * time.Second} {
			with.want("BOOKMARK @2")
			assert.Equal(t, at, time.Since(begin), "each minute, and shortly before the end")
		}
		_, more := with.next()
		assert.False(t, more)
		_, more = s.watch("&allowWatchBookmarks=true&resourceVersion=1&timeoutSeconds=2&fieldSelector=metadata.name=none").next()
		assert.False(t, more, "a watch that is too short for it gets none")
		without := s.watch("&resourceVersion=1&timeoutSeconds=150&fieldSelector=metadata.name=none")
		_, more = without.next()
		assert.False(t, more, "a client that did not ask for bookmarks gets none")
	})
}

// A quiet watch outlives the write timeout: that one counts from a write to its flush.
func TestQuietWatchLivesOn(t *testing.T) {
	bubble(t, Options{WriteTimeout: time.Second}, storage.Options{}, func(t *testing.T, s *running) {
		w := s.watch("&resourceVersion=1")
		time.Sleep(time.Hour / 4)
		s.put("a", "1")
		w.want("ADDED a@2")
		require.NoError(t, w.body.Close())
	})
}

// A client that has gone takes its watcher with it.
func TestDisconnectEndsTheWatch(t *testing.T) {
	bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
		w := s.watch("")
		synctest.Wait()
		require.Equal(t, 1, s.store.Watchers())
		require.NoError(t, w.body.Close())
		synctest.Wait()
		assert.Zero(t, s.store.Watchers())
	})
}

// A client that stops reading is evicted and then cut off; writers and the other watch go on.
func TestSlowClient(t *testing.T) {
	bubble(t, Options{WriteTimeout: 10 * time.Second}, storage.Options{Buffer: 5}, func(t *testing.T, s *running) {
		slow, quick := s.watch("&resourceVersion=1"), s.watch("&resourceVersion=1")
		for i := range 200 { // more than the buffers between the store and the client hold
			s.put("a", fmt.Sprint(i))
			e, ok := quick.next()
			require.True(t, ok)
			require.Equal(t, fmt.Sprint(i+2), e.Object.Metadata.ResourceVersion)
		}
		synctest.Wait()
		assert.Equal(t, 1, s.store.Watchers(), "the slow one is not among them any more")
		time.Sleep(11 * time.Second) // its handler is still in Write, until the deadline
		synctest.Wait()
		got := 0
		for slow.lines.Scan() {
			got++
		}
		assert.Less(t, got, 200)
		assert.Error(t, slow.lines.Err(), "cut off, not ended: what it got last is not all there was")
		require.NoError(t, quick.body.Close())
	})
}

// countingWriter is a response that counts how often it is flushed, and whose writes wait while
// the gate is shut.
type countingWriter struct {
	bytes.Buffer
	header  http.Header
	flushes int
	gate    chan struct{}
}

func (w *countingWriter) Header() http.Header { return w.header }
func (w *countingWriter) WriteHeader(int)     {}
func (w *countingWriter) Flush()              { w.flushes++ }
func (w *countingWriter) Write(p []byte) (int, error) {
	<-w.gate
	return w.Buffer.Write(p)
}

// TestFlushes counts them: the header's, one for a hundred events that came while the connection
// was busy, one for each event that comes alone. A flush per event would have made it 103.
//
// covers: B-10 S3-26
func TestFlushes(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		store := storage.New(storage.Options{})
		handler := New(store, Options{}, ConfigMaps)
		write := func(value int) {
			key := ConfigMaps.key("n", fmt.Sprint("a", value))
			_, err := store.Create(key, map[string]any{"metadata": map[string]any{"namespace": "n", "name": key.Name}})
			require.NoError(t, err)
		}
		w := &countingWriter{header: http.Header{}, gate: make(chan struct{})}
		done := make(chan struct{})
		go func() {
			defer close(done)
			handler.ServeHTTP(w, httptest.NewRequest("GET", path+"?watch=true&resourceVersion=1&timeoutSeconds=60",
				nil))
		}()
		synctest.Wait()
		header := w.flushes
		for i := range 100 {
			write(i)
			synctest.Wait() // the handler is in the Write of the first
		}
		close(w.gate)
		synctest.Wait()
		burst := w.flushes - header
		for i := range 3 {
			write(100 + i)
			synctest.Wait()
		}
		alone := w.flushes - header - burst
		<-done
		assert.Equal(t, 103, bytes.Count(w.Bytes(), []byte("\n")), "every event was written")
		assert.Equal(t, 1, burst, "a burst is flushed when no more of it is waiting")
		assert.Equal(t, 3, alone, "an event that comes alone is flushed at once")
		assert.GreaterOrEqual(t, header, 1, "the header is flushed before anything happens")
		t.Logf("flushes: %d before the first event, %d for a burst of 100, %d for 3 single events",
			header, burst, alone)
	})
}
