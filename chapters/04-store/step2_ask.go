package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// people are the objects of steps 2 and 3, all of one generation: 100 teams, and namespaces of 100.
func (t *tour) people(generation string) []any {
	list := make([]any, t.population)
	for i := range list {
		list[i] = configMap(fmt.Sprint("ns-", i/100), fmt.Sprint("cm-", i), generation,
			map[string]string{"team": fmt.Sprint("team-", i%100)})
	}
	return list
}

// question is asked of a store; what comes back is how many objects.
type question struct {
	text string
	ask  func(cache.Indexer) (int, error)
}

var questions = []question{
	{"one, by its key", func(s cache.Indexer) (int, error) {
		_, exists, err := s.GetByKey("ns-0/cm-7")
		if !exists {
			return 0, err
		}
		return 1, err
	}},
	{"a team, by the index", func(s cache.Indexer) (int, error) {
		found, err := s.ByIndex(teamIndex, "team-7")
		return len(found), err
	}},
	{"a team, by a label selector", func(s cache.Indexer) (int, error) {
		found, err := corelisters.NewConfigMapLister(s).List(labels.SelectorFromSet(labels.Set{"team": "team-7"}))
		return len(found), err
	}},
	{"a namespace, by the lister", func(s cache.Indexer) (int, error) {
		found, err := corelisters.NewConfigMapLister(s).ConfigMaps("ns-7").List(labels.Everything())
		return len(found), err
	}},
	{"all of them", func(s cache.Indexer) (int, error) { return len(s.List()), nil }},
}

// ask is step 2: what answers cost, in ours and in client-go's.
func (t *tour) ask(ctx context.Context, l *lab.Lab) error {
	list := t.people("1")
	head, heap := []string{"", "objects"}, []string{"heap for each object", ""}
	rows := make([][]string, len(questions))
	for i, im := range both {
		s, bytes, err := filled(im, list)
		if err != nil {
			return err
		}
		head, heap = append(head, im.name), append(heap, fmt.Sprintf("%d B", bytes))
		for j, q := range questions {
			found, took, err := timed(ctx, q, s)
			if err != nil {
				return err
			}
			if i == 0 {
				rows[j] = []string{q.text, thousands(found)}
			}
			rows[j] = append(rows[j], inMicroseconds(took))
		}
	}
	l.Table(append(append([][]string{head}, rows...), heap)...)
	l.Conclude("The selector looks at each object. An index finds the team without looking at the others, and costs memory, and " +
		"time in each write. The heap is without the objects themselves.")
	return nil
}

// filled makes a store of a list, and measures what it holds besides the objects.
func filled(im implementation, list []any) (s cache.Indexer, bytesEach int, err error) {
	s = im.new(indexers())
	before := heapInUse()
	if err := s.Replace(list, "1"); err != nil {
		return nil, 0, err
	}
	return s, int(heapInUse()-before) / len(list), nil
}

// heapInUse is what is reachable now.
func heapInUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// timed asks for a tenth of a second, and returns how long the quickest of several rounds took for each question:
// what else runs on the machine makes a round slower, and none quicker.
func timed(ctx context.Context, q question, s cache.Indexer) (found int, quickest time.Duration, err error) {
	start := time.Now()
	if found, err = q.ask(s); err != nil {
		return 0, 0, err
	}
	quickest = time.Since(start)
	rounds := max(1, int(5*time.Millisecond/max(1, quickest)))
	for time.Since(start) < 100*time.Millisecond {
		if ctx.Err() != nil {
			return 0, 0, context.Cause(ctx)
		}
		began := time.Now()
		for range rounds {
			_, _ = q.ask(s)
		}
		quickest = min(quickest, time.Since(began)/time.Duration(rounds))
	}
	return found, quickest, nil
}

// inMicroseconds is a time with two digits or more.
func inMicroseconds(d time.Duration) string {
	if d < 10*time.Microsecond {
		return fmt.Sprintf("%.2f µs", float64(d)/1000)
	}
	return fmt.Sprintf("%d µs", d.Microseconds())
}
