package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

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
// The script is of certain kinds, or the reader's own.
func (t *tour) narrated(script faults.Written, of []faults.Kind) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) error {
		r := t.run(l)
		r.Script, r.Writes, r.RealTime, r.PageSize = script, maxWrites, patience, 500
		for _, f := range script {
			r.Faults += max(f.Count, 1)
		}
		r.Aloud = func(t http.RoundTripper) http.RoundTripper { return l.AloudTransport(t) }
		r.Fault = func(rec faults.Record, f faults.Fault) { l.Event("FAULT", "%s: %s", f.Kind, what[f.Kind]) }
		r.Changed = changed(l)
		r.Observe = observe(l)
		result, err := r.Play(ctx)
		if err != nil {
			return err
		}
		if missing := r.Faults - result.Total; missing > 0 && of == nil {
			l.Conclude("%d of the script's %d faults never got its turn: %s.", missing, r.Faults, why(script, result))
		}
		l.Conclude("The view equals a fresh LIST. After any end but a 410, the last resourceVersion is still where " +
			"the client's knowledge ends, and a watch from there misses nothing.")
		return nil
	}
}

// why says why a fault did not get its turn.
func why(script faults.Written, result *scenario.Result) string {
	requests := result.Lists + result.Watches
	for _, f := range script {
		if f.Request > requests {
			return fmt.Sprintf("there were only %d requests", requests)
		}
	}
	return "the request was a LIST, or ended before"
}
