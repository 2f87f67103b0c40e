package storage

import (
	"flag"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

var full = flag.Bool("full", false, "TestThousandWatchers: 100 of them watch everything, not 5; 10,000 writes under -race too")

// TestThousandWatchers writes from four goroutines while a thousand watchers read: of everything,
// of one namespace of a hundred, of one label of fifty. Each has to get every event that concerns
// it, in the order of the writes. One that is evicted resumes, as a client would.
func TestThousandWatchers(t *testing.T) {
	writes, everything := 10_000, 5
	switch {
	case *full:
		everything = 100
	case raced:
		writes = 1_000
	}
	const namespaces, teams = 100, 50
	s := open(Options{History: writes, Buffer: 500})
	var queries []Query
	for i := range 1000 {
		switch {
		case i < everything:
			queries = append(queries, Query{Resource: things})
		case i < everything+teams:
			queries = append(queries, Query{Resource: things, Labels: selector(fmt.Sprintf("team=%d", i%teams))})
		default:
			queries = append(queries, Query{Resource: things, Namespace: fmt.Sprintf("n%d", i%namespaces)})
		}
	}
	last := uint64(1 + writes)
	got := make([][]uint64, len(queries))
	evictions := make([]int, len(queries))
	var ready, readers, writers sync.WaitGroup
	for i, q := range queries {
		w, err := s.Watch(q, 1, false)
		if err != nil {
			t.Fatal(err)
		}
		ready.Add(1)
		readers.Go(func() {
			ready.Done()
			after := uint64(1)
			for {
				for _, e := range w.Initial {
					got[i], after = append(got[i], e.Revision), e.Revision
				}
				for e := range w.Events() {
					if e.Type != Bookmark {
						got[i] = append(got[i], e.Revision)
					}
					if after = e.Revision; after >= last {
						break
					}
				}
				w.Stop()
				if after >= last {
					return
				}
				evictions[i]++
				if w, err = s.Watch(q, after, false); err != nil {
					t.Errorf("watcher %d, after %d: %v", i, after, err)
					return
				}
			}
		})
	}
	ready.Wait()
	for writer := range 4 {
		writers.Go(func() {
			for i := range writes / 4 {
				key := thing(fmt.Sprintf("n%d", (4*i+writer)%namespaces), fmt.Sprintf("w%d", writer))
				put(t, s, key, i, map[string]string{"team": fmt.Sprint(i % teams)})
			}
		})
	}
	writers.Wait()
	s.mu.Lock()
	log, _ := s.resources[things].history.since(1)
	s.mu.Unlock()
	done := make(chan struct{})
	go func() { readers.Wait(); close(done) }()
	for finished := false; !finished; {
		select {
		case <-done:
			finished = true
		case <-time.After(10 * time.Millisecond): // again, for those that resume just now
			s.BookmarkAll() // tells those that the last write does not concern that it has been
		}
	}
	delivered, evicted := 0, 0
	for i, q := range queries {
		var want []uint64
		for _, c := range log {
			if _, ok := c.as(q); ok {
				want = append(want, c.revision)
			}
		}
		if !slices.Equal(got[i], want) {
			t.Fatalf("watcher %d of %+v: %d events, want %d, or in another order", i, q, len(got[i]), len(want))
		}
		delivered += len(want)
		evicted += evictions[i]
	}
	t.Logf("%d writes, %d watchers, %d events delivered, %d evictions, none lost, none out of order",
		writes, len(queries), delivered, evicted)
}
