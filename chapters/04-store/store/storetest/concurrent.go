package storetest

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"
)

const (
	writers = 3
	readers = 3
)

// Concurrent lets one writer write while readers ask: each answer has to be that of one state, and the states have to
// come in the order of the writes. Then it lets several write: what is there in the end has to be what some order of
// their writes leads to.
func Concurrent(t *testing.T, newStore New) {
	t.Run("one writer", func(t *testing.T) {
		for round := 0; round < 10 && !t.Failed(); round++ {
			oneWriter(t, newStore, round)
		}
	})
	t.Run("many writers", func(t *testing.T) {
		for round := 0; round < 200 && !t.Failed(); round++ { // short ones: later writes put right what went wrong
			manyWriters(t, newStore, round)
		}
	})
}

// plan draws the writes of one writer, the same for the same seed.
func (s *scene) plan(seed, writes int) []write {
	return rapid.SliceOfN(rapid.Custom(s.write), writes, writes).Example(seed)
}

// manyWriters make any writes. In the end each key has what one of them left there, as if it were alone; so has the
// version; and the indexes agree with the objects.
func manyWriters(t *testing.T, newStore New, round int) {
	s := objects()
	subject := s.subject(newStore)
	if round%2 == 0 {
		s.without = append(s.without, "Replace") // which puts everything right
	}
	var alone []cache.Indexer
	var running sync.WaitGroup
	for i := range writers {
		model, plan := s.store(upstream), s.plan(round*writers+i, 20)
		for _, w := range plan {
			w.do(model)
		}
		alone = append(alone, model)
		running.Go(func() {
			for _, w := range plan {
				w.do(subject)
			}
		})
	}
	running.Wait()
	for _, q := range append(keyQuestions(), version) {
		var left []string
		for _, model := range alone {
			left = append(left, q.ask(model))
		}
		if got := q.ask(subject); !slices.Contains(left, got) {
			t.Errorf("%s in the end\nexpected what one of the writers left, %q\nhappened %s", q.name, left, got)
		}
	}
	agrees(t, subject, s)
}

// agrees compares the answers of a store with those of one that is given the same objects.
func agrees(t *testing.T, subject cache.Indexer, s *scene) {
	model := s.store(upstream)
	if subject.GetIndexers()[byCount] != nil {
		addition([]string{byCount}).do(model)
	}
	if err := model.Replace(subject.List(), subject.LastStoreSyncResourceVersion()); err != nil {
		t.Fatal(err)
	}
	for _, q := range append(s.questions(), functions) {
		if want, got := q.ask(model), q.ask(subject); got != want {
			t.Fatalf("%s in the end, of a store that holds %s\nexpected %s\nhappened %s", q.name,
				set(subject.List(), nil), want, got)
		}
	}
}

// Indexers asks for the index functions while others add one. The map that [cache.Indexer.GetIndexers] returns belongs
// to whoever asked: [cache.NewIndexer] returns its own, and does not pass.
func Indexers(t *testing.T, newStore New) {
	s := objects()
	subject := s.subject(newStore)
	if got := outcome(subject.Add(s.make("a/x", tagSets[3], "7"))); got != "no error" {
		t.Fatalf("Add\nexpected no error\nhappened %s", got)
	}
	clear(subject.GetIndexers())
	agrees(t, subject, s)
	var running sync.WaitGroup
	var added atomic.Int32
	for range writers {
		running.Go(func() {
			if addition([]string{byCount}).do(subject) == nil {
				added.Add(1)
			}
		})
		running.Go(func() {
			for range 100 {
				functions.ask(subject)
			}
		})
	}
	running.Wait()
	if added.Load() != 1 {
		t.Errorf("AddIndexers of one name, by %d at once\nexpected 1 to succeed\nhappened %d", writers, added.Load())
	}
	agrees(t, subject, s)
}
