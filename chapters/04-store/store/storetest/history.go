package storetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/tools/cache"
)

// A history is what one writer does to a store, and what readers may therefore see: since nobody else writes, all
// answers after each write are known.
type history struct {
	subject   cache.Indexer
	questions []question
	writes    []write
	outcomes  []string
	answers   [][]string // after a write, to a question

	begun, ended atomic.Int64 // the last write that has
	over         atomic.Bool
}

// oneWriter makes any writes while readers ask.
func oneWriter(t *testing.T, newStore New, round int) {
	s := objects()
	h := &history{subject: s.subject(newStore), questions: s.questions(), writes: s.plan(round, 200)}
	model := s.store(upstream)
	for _, w := range h.writes {
		h.outcomes = append(h.outcomes, outcome(w.do(model)))
		var answers []string
		for _, q := range h.questions {
			answers = append(answers, q.ask(model))
		}
		h.answers = append(h.answers, answers)
	}
	h.write(t, 0)
	var reading sync.WaitGroup
	for range readers {
		reading.Go(func() { h.read(t) })
	}
	for n := 1; n < len(h.writes) && !t.Failed(); n++ {
		h.write(t, n)
	}
	h.over.Store(true)
	reading.Wait()
}

func (h *history) write(t *testing.T, n int) {
	h.begun.Store(int64(n))
	if got := outcome(h.writes[n].do(h.subject)); got != h.outcomes[n] {
		t.Errorf("%s\nexpected %s\nhappened %s", h.writes[n].name, h.outcomes[n], got)
	}
	h.ended.Store(int64(n))
}

// read asks until the writer is done. An answer has to be that of a state which was there between question and answer,
// and of none older than the reader has seen before.
func (h *history) read(t *testing.T) {
	for seen := int64(0); !h.over.Load(); {
		q := rand.IntN(len(h.questions))
		if rand.IntN(2) == 0 {
			q %= 2 // the whole, half of the time
		}
		first := max(seen, h.ended.Load())
		got := h.questions[q].ask(h.subject)
		last := h.begun.Load()
		for seen = first; h.answers[seen][q] != got; seen++ {
			if seen == last {
				t.Errorf("%s while a writer writes\nexpected the answer after one of these writes:%s\nhappened %s",
					h.questions[q].name, h.between(first, last, q), got)
				return
			}
		}
	}
}

// between lists some writes, and the right answer after each.
func (h *history) between(first, last int64, q int) string {
	var b strings.Builder
	for n := first; n <= last; n++ {
		fmt.Fprintf(&b, "\n  %s: %s", h.writes[n].name, h.answers[n][q])
	}
	return b.String()
}
