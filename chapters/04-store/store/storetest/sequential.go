package storetest

import (
	"testing"

	"k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"
)

// upstream makes the store that the suite takes its answers from.
func upstream(keyFunc cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
	return cache.NewIndexer(keyFunc, indexers)
}

// Sequential makes the same random writes on a store and on [cache.NewIndexer]'s, 10,000 of objects with metadata and
// 2,000 of strings, and compares what came of each, and then every answer.
func Sequential(t *testing.T, newStore New) {
	t.Run("objects", func(t *testing.T) { compare(t, newStore, objects, 10_000) })
	t.Run("strings", func(t *testing.T) { compare(t, newStore, plainStrings, 2_000) })
}

func compare(t *testing.T, newStore New, newScene func() *scene, atLeast int) {
	for writes := 0; writes < atLeast; { // however few rapid was told to make
		rapid.Check(t, func(t *rapid.T) {
			s := newScene()
			questions := append(s.questions(), functions)
			model, subject := s.store(upstream), s.subject(newStore)
			after := "in the beginning"
			t.Repeat(map[string]func(*rapid.T){
				"write": func(t *rapid.T) {
					w := rapid.Custom(s.write).Draw(t, "write")
					want, got := outcome(w.do(model)), outcome(w.do(subject))
					if got != want {
						t.Fatalf("%s\nexpected %s\nhappened %s", w.name, want, got)
					}
					after = "after " + w.name
					writes++
				},
				"": func(t *rapid.T) {
					for _, q := range questions {
						if want, got := q.ask(model), q.ask(subject); got != want {
							t.Fatalf("%s, %s\nexpected %s\nhappened %s", q.name, after, want, got)
						}
					}
				},
			})
		})
	}
}
