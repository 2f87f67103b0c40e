package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Each of so many writers writes so often.
const (
	racers = 8
	rounds = 5
)

// race is step 3: nobody holds the writers back.
func race(ctx context.Context, l *lab.Lab) error {
	url := scenario.PodTemplate().URL(l.Server.String(), l.Namespace)
	rows := [][]string{{"", "added", "lost", "overwritten", "refused", "requests", "sent", "received"}}
	for _, way := range writes.Ways() {
		t, err := scenario.Race{Way: way, Writers: racers, Rounds: rounds}.Run(ctx, l.HTTPClient(), url)
		if err != nil {
			return fmt.Errorf("%s: %w", way.Name, err)
		}
		if err := t.Replay(); err != nil {
			return fmt.Errorf("%s: what the API server accepted is not what it has: %w", way.Name, err)
		}
		rows = append(rows, []string{way.Name, strconv.Itoa(t.Added), strconv.Itoa(t.Lost()),
			strconv.Itoa(t.Overwritten), strconv.Itoa(t.Refused), strconv.FormatInt(t.Requests, 10),
			kB(t.Sent), kB(t.Received)})
	}
	l.Table(rows...)
	l.Conclude("The API server has done every write that it accepted: done again in their order, they give the object that is " +
		"there at the end. What is missing was overwritten by a write that came later and was accepted, too.")
	return nil
}

func kB(bytes int64) string { return fmt.Sprintf("%d kB", (bytes+500)/1000) }
