package main

import (
	"context"
	"fmt"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"

	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// crash is step 7: a program ends between two writes, and starts again.
func crash(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	user, err := client.NewWithWatch(before.Config(l),
		client.Options{HTTPClient: l.HTTPClient(), Scheme: scenario.Known()})
	if err != nil {
		return err
	}
	rows := [][]string{{"", "it ends after", "has written", "the next one", "processes", "status", "label"}}
	for _, s := range scenario.Savers() {
		for _, after := range []int{scenario.Never, 1, 0} {
			p, err := scenario.Made(ctx, user, l.Namespace, fmt.Sprintf("%s-%d", strings.ToLower(s.Name), after))
			if err != nil {
				return err
			}
			c, err := s.Crashed(ctx, user, client.ObjectKeyFromObject(p), after)
			if err != nil {
				return err
			}
			rows = append(rows, ended(s, after, c))
		}
	}
	l.Table(rows...)
	l.Conclude("What a run has done to the world can't be done again, and what it has decided can be decided again. So the " +
		"status is saved first. A program that ends before it has saved anything starts a second process in both: that " +
		"takes a name that can be found again, and is chapter 15's.")
	return nil
}

// ended is a row: what came of a program that has ended after so many writes.
func ended(s scenario.Saver, after int, c scenario.Crash) []string {
	when := map[int]string{scenario.Never: "its last", 1: "1 write", 0: "no write"}[after]
	return []string{s.Name, when, orNothing(strings.Join(c.Written[0], ", ")),
		orNothing(strings.Join(c.Written[1], ", ")), fmt.Sprint(c.Started), "PID " + pidOf(c.Process),
		orNothing(c.Process.Labels[scenario.Node])}
}
