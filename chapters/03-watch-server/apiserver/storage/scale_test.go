package storage

import (
	"flag"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

var full = flag.Bool("full", false, "TestThousandWatchers: 100 of them watch everything, not 5; "+
	"10,000 writes under -race too")

// In TestThousandWatchers, the others watch one of so many namespaces, or one of so many labels.
const namespaces, teams = 100, 50

// TestThousandWatchers writes from four goroutines while a thousand watchers read: of everything,
// of one namespace of a hundred, of one label of fifty. Each has to get every event that concerns
// it, in the order of the writes. One that is evicted resumes, as a client would.
func TestThousandWatchers(t *testing.T) {
	writes, everything := 10_000, 5
	switch {
	case *full:
		everything = 100
	case testkit.Raced:
		writes = 1_000
	}
	s := open(Options{History: writes, Buffer: 500})
	readers := make([]*reader, 1000)
	var reading, writing sync.WaitGroup
	for i := range readers {
		readers[i] = &reader{store: s, query: queryOf(i, everything), last: uint64(1 + writes)}
		if err := readers[i].watch(1); err != nil {
			t.Fatal(err)
		}
		reading.Go(func() {
			if err := readers[i].read(); err != nil {
				t.Errorf("reader %d: %v", i, err)
			}
		})
	}
	for writer := range 4 {
		writing.Go(func() {
			for i := range writes / 4 {
				key := thing(fmt.Sprintf("n%d", (4*i+writer)%namespaces), fmt.Sprintf("w%d", writer))
				put(t, s, key, i, map[string]string{"team": fmt.Sprint(i % teams)})
			}
		})
	}
	writing.Wait()
	s.mu.Lock()
	log, err := s.resources[things].history.since(1)
	s.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	waitWithBookmarks(s, &reading)
	delivered, evicted := 0, 0
	for i, r := range readers {
		if want := concerning(log, r.query); !slices.Equal(r.got, want) {
			t.Fatalf("reader %d of %+v: %d events, want %d, or in another order", i, r.query, len(r.got), len(want))
		}
		delivered += len(r.got)
		evicted += r.evictions
	}
	t.Logf("%d writes, %d watchers, %d events delivered, %d evictions, none lost, none out of order",
		writes, len(readers), delivered, evicted)
}

// queryOf is what the i-th reader watches; the first so many watch everything.
func queryOf(i, everything int) Query {
	switch {
	case i < everything:
		return Query{Resource: things}
	case i < everything+teams:
		return Query{Resource: things, Labels: selector(fmt.Sprintf("team=%d", i%teams))}
	}
	return Query{Resource: things, Namespace: fmt.Sprintf("n%d", i%namespaces)}
}

// reader reads a watch until it has heard of the last write. When it is evicted, it resumes.
type reader struct {
	store *Store
	query Query
	last  uint64

	watcher   *Watcher
	got       []uint64
	evictions int
}

func (r *reader) watch(after uint64) (err error) {
	r.watcher, err = r.store.Watch(r.query, after, false)
	return err
}

func (r *reader) read() error {
	after := uint64(1)
	for {
		for _, e := range r.watcher.Initial {
			r.got, after = append(r.got, e.Revision), e.Revision
		}
		for e := range r.watcher.Events() {
			after = e.Revision
			if e.Type != Bookmark {
				r.got = append(r.got, after)
			}
			if after >= r.last {
				break
			}
		}
		r.watcher.Stop()
		if after >= r.last {
			return nil
		}
		r.evictions++
		if err := r.watch(after); err != nil {
			return fmt.Errorf("after %d: %w", after, err)
		}
	}
}

// waitWithBookmarks waits for readers, and tells those that the last write does not concern that it has been: again and
// again, for those that resume just now.
func waitWithBookmarks(s *Store, reading *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		reading.Wait()
		close(done)
	}()
	for {
		s.mu.Lock()
		for _, watchers := range s.watchers {
			for w := range watchers {
				w.offer(Event{Type: Bookmark, Revision: s.revision})
			}
		}
		s.mu.Unlock()
		select {
		case <-done:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// concerning are the revisions of the changes that a query asks about.
func concerning(log []*change, q Query) (revisions []uint64) {
	for _, c := range log {
		if _, ok := c.eventFor(q); ok {
			revisions = append(revisions, c.revision)
		}
	}
	return revisions
}
