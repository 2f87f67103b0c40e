package storage

import (
	"fmt"
	"testing"
)

// BenchmarkWrite is one update of a small object. What it costs depends on how many watchers match:
// not on those of other namespaces and labels, and not on how long the window is.
func BenchmarkWrite(b *testing.B) {
	for _, c := range []struct{ matching, others, history int }{
		{0, 0, 100}, {0, 0, 100_000},
		{0, 1000, 100}, {0, 10_000, 100}, {0, 10_000, 100_000},
		{1, 0, 100}, {10, 0, 100}, {100, 0, 100}, {1000, 0, 100}, {1000, 0, 100_000},
	} {
		name := fmt.Sprintf("matching=%d/others=%d/history=%d/impl=ours", c.matching, c.others, c.history)
		b.Run(name, func(b *testing.B) {
			s := open(Options{History: c.history, Buffer: 1 << 10})
			var watchers []*Watcher
			watch := func(q Query) {
				w, err := s.Watch(q, 1, false)
				if err != nil {
					b.Fatal(err)
				}
				watchers = append(watchers, w)
			}
			for range c.matching {
				watch(Query{Resource: things, Namespace: "n"})
			}
			for i := range c.others {
				watch(Query{Resource: things, Namespace: fmt.Sprintf("other%d", i)})
			}
			key := thing("n", "a")
			drain := func() {
				for _, w := range watchers[:c.matching] {
					queued(w)
				}
			}
			o := put(b, s, key, 0, nil)
			contents := [2]map[string]any{content(key, "red", nil), content(key, "green", nil)}
			for i := range c.history { // a full window
				o = mustUpdate(b, s, key, o, contents[(i+1)%2])
				if i%1000 == 0 {
					drain()
				}
			}
			drain()
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				o = mustUpdate(b, s, key, o, contents[(c.history+i+1)%2])
				if i%1000 == 999 {
					b.StopTimer() // reading is the watchers' time, not the writer's
					drain()
					b.StartTimer()
				}
			}
			b.StopTimer()
			for _, w := range watchers {
				if w.closed {
					b.Fatal("a watcher was evicted: the benchmark would get cheaper and cheaper")
				}
				w.Stop()
			}
		})
	}
}

func mustUpdate(b *testing.B, s *Store, key Key, from *Object, content map[string]any) *Object {
	o, err := s.Update(key, from.Revision, content)
	if err != nil || o == from {
		b.Fatalf("an update that did not write: %v", err)
	}
	return o
}

// BenchmarkReplay begins a watch a hundred changes ago, in windows of different length.
func BenchmarkReplay(b *testing.B) {
	for _, history := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprintf("history=%d/impl=ours", history), func(b *testing.B) {
			s := open(Options{History: history})
			for i := range history {
				put(b, s, thing("n", "a"), i, nil)
			}
			b.ReportAllocs()
			for b.Loop() {
				w, err := s.Watch(Query{Resource: things}, s.Revision()-100, false)
				if err != nil {
					b.Fatal(err)
				}
				w.Stop()
			}
		})
	}
}
