package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// lists is how often everything is replaced.
const lists = 5

// readWhileReplaced is step 3.
func (t *tour) readWhileReplaced(ctx context.Context, l *lab.Lab) error {
	generations := make([][]any, lists)
	for i := range generations {
		generations[i] = t.people(fmt.Sprint(i))
	}
	rows := [][]string{{""}, {"generations found in one read, at most"}, {"reads in the meantime"}, {"longest read"},
		{"one Replace"}}
	for _, im := range both {
		o, err := watchReplaces(ctx, im.new(indexers()), generations)
		if err != nil {
			return err
		}
		for i, cell := range []string{im.name, fmt.Sprint(o.generations), fmt.Sprint(o.reads),
			inMilliseconds(o.longest), inMilliseconds(o.replacing / lists)} {
			rows[i] = append(rows[i], cell)
		}
	}
	l.Table(rows...)
	l.Conclude("Neither shows half of a list. client-go's store computes the indexes of the new list while readers wait. " +
		"Ours has them ready before it stops a reader.")
	return nil
}

// observed is what a reader met.
type observed struct {
	generations        int // in one read, at most
	reads              int
	longest, replacing time.Duration
}

// watchReplaces reads a team without a pause while lists replace each other.
func watchReplaces(ctx context.Context, s cache.Indexer, generations [][]any) (o observed, err error) {
	if err := s.Replace(generations[0], "0"); err != nil {
		return o, err
	}
	replaced := make(chan error, 1)
	go func() {
		began := time.Now()
		for i, list := range generations {
			if err := s.Replace(list, fmt.Sprint(i)); err != nil {
				replaced <- err
				return
			}
		}
		o.replacing = time.Since(began)
		replaced <- nil
	}()
	for {
		select {
		case err := <-replaced:
			return o, err
		default:
		}
		began := time.Now()
		team, err := s.ByIndex(teamIndex, "team-7")
		if err != nil {
			<-replaced
			return o, err
		}
		o.reads++
		o.longest = max(o.longest, time.Since(began))
		o.generations = max(o.generations, generationsOf(team))
	}
}

// generationsOf counts the lists that objects come from.
func generationsOf(objects []any) int {
	found := map[string]bool{}
	for _, object := range objects {
		found[object.(*corev1.ConfigMap).ResourceVersion] = true
	}
	return len(found)
}

func inMilliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/1e6) }
