package main

import (
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what the steps share.
type tour struct {
	// seed chooses the writes and the faults.
	seed uint64
	// listed is what the run of list-then-watch came to, for the streaming list to be compared with.
	listed *scenario.Result
}

// run is what all scenarios of the demo have in common.
func (t *tour) run(l *lab.Lab) scenario.Run {
	return scenario.Run{
		Server: l.Server, Transport: l.HTTPClient().Transport, Namespace: l.Namespace, Seed: t.seed,
	}
}

// changed prints the view's changes.
func changed(l *lab.Lab) func(watch.EventType, listwatch.Object) {
	return func(t watch.EventType, o listwatch.Object) {
		if !lab.Foreign(o.Name) {
			l.Changed(string(t), "%s at %s", o.Name, o.ResourceVersion)
		}
	}
}

// observe prints what the client makes of it: its requests show themselves.
func observe(l *lab.Lab) func(listwatch.State) {
	return func(s listwatch.State) {
		switch s.Doing {
		case listwatch.Synced:
			l.Became("the view is the list, at %s", s.From)
		case listwatch.Waiting:
			l.Conclude("%s%s", s.After, next(s))
		}
	}
}

// next says what the client does after an end.
func next(s listwatch.State) string {
	then := "watch again"
	if s.From == "" {
		then = "list again"
	}
	if s.For == 0 {
		return ": " + then + " at once"
	}
	return ": " + then + " in " + s.For.Round(10*time.Millisecond).String()
}
