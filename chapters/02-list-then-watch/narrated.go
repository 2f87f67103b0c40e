package main

import (
	"context"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// patience is how long the narrated client lets a request bring nothing. In earnest it is minutes.
const patience = time.Second

// maxWrites bounds the step, for a script whose last fault never gets its turn. The eight writes that
// prepare it count.
const maxWrites = 16

// what says in words what the proxy does.
var what = map[faults.Kind]string{
	faults.Cut:           "half of the event, then the connection breaks",
	faults.Truncate:      "half of the event, then the end in good order",
	faults.Stall:         "no byte from here on, and no end",
	faults.Delay:         "held back",
	faults.Gone:          "status 410",
	faults.Expired:       "in a response with status 200, an ERROR event: 410 Expired",
	faults.TooMany:       "status 429, Retry-After: 1",
	faults.InternalError: "status 500",
	faults.ErrorEvent:    "in a response with status 200, an ERROR event: 500",
	faults.Unavailable:   "status 503",
	faults.DropBookmarks: "no bookmarks in this watch",
	faults.Close:         "the event, then the end in good order",
	faults.Away:          "nobody answers",
}

// narrated is the step that shows each fault and what the client makes of it.
func narrated(ctx context.Context, l *lab.Lab) error {
	r := run(l)
	r.Script, r.Writes, r.RealTime, r.PageSize = script, maxWrites, patience, 500
	for _, f := range script {
		r.Faults += max(f.Count, 1)
	}
	r.Writing = func(w string) { l.Sent("writer: %s", w) }
	r.Fault = func(rec faults.Record, f faults.Fault) { l.Event("FAULT", "%s: %s", f.Kind, what[f.Kind]) }
	r.Changed = changed(l)
	r.Observe = observe(l)
	if _, err := r.Play(ctx); err != nil {
		return err
	}
	l.Conclude("The view equals a fresh LIST. After any end but a 410, the last resourceVersion is still where " +
		"the client's knowledge ends, and a watch from there misses nothing.")
	return nil
}

// changed prints the view's changes.
func changed(l *lab.Lab) func(watch.EventType, listwatch.Object) {
	return func(t watch.EventType, o listwatch.Object) { l.Event(string(t), "%s at %s", o.Name, o.ResourceVersion) }
}

// observe prints the client's states.
func observe(l *lab.Lab) func(listwatch.State) {
	return func(s listwatch.State) {
		switch s.Doing {
		case "list":
			l.Sent("LIST")
		case "watch":
			l.Sent("WATCH from %s", s.From)
		case "synced":
			l.Conclude("the view is the list, at %s", s.From)
		case "wait":
			l.Conclude("%s%s", s.After, next(s))
		}
	}
}

// follow is -interactive: the client follows what the reader does, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	l.Say("This terminal keeps a view of the ConfigMaps of %s. In another terminal, in this folder:", l.Namespace)
	l.Command("%s create configmap fig", l.Kubectl())
	l.Command("%s label configmap fig ripe=yes", l.Kubectl())
	l.Command("%s delete configmap fig", l.Kubectl())
	client := &listwatch.Client{
		Source: listwatch.Collection{
			Client: &watch.Client{Server: l.Server.String(), HTTP: l.HTTPClient()},
			Path:   watch.Path("", "v1", l.Namespace, "configmaps"),
		},
		View:    &listwatch.View{OnChange: changed(l)},
		Observe: observe(l),
	}
	client.Run(ctx) // nothing but the reader ends it
	return nil
}

// next says what the client does after an end.
func next(s listwatch.State) string {
	then := "watch again"
	if s.After == listwatch.Expired {
		then = "list again"
	}
	if s.For == 0 {
		return ": " + then + " at once"
	}
	return ": " + then + " in " + s.For.Round(10*time.Millisecond).String()
}

// run is what all scenarios of the demo have in common.
func run(l *lab.Lab) scenario.Run {
	return scenario.Run{
		Server: l.Server, Transport: l.HTTPClient().Transport, Namespace: l.Namespace, Seed: seed,
	}
}
