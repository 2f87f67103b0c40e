package opened

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// Part is the kind of thing that an event happened to.
type Part string

// The parts of a manager.
const (
	Runnables   Part = "runnable"
	Caches      Part = "cache"
	Informers   Part = "informer"
	Queues      Part = "queue"
	Reconcilers Part = "reconciler"
	Requests    Part = "request"
	Log         Part = "log"
)

// Event is one thing that happened inside a manager.
type Event struct {
	At   time.Duration // since the record was made, or restarted
	Part Part
	Name string // which of them: the runnable's name, the controller's, the informer's kind
	What string // "starts", "AddRateLimited", "GET configmaps, a watch"
	Item string // what it is about, if it is about something: a key, an error
}

// String is the event without its time: "mirror AddRateLimited north/menu".
func (e Event) String() string {
	return strings.Join(slices.DeleteFunc([]string{e.Name, e.What, e.Item},
		func(s string) bool { return s == "" }), " ")
}

// Record is what happened, in order. It may be used from several goroutines.
type Record struct {
	mu      sync.Mutex
	begin   time.Time
	events  []Event
	told    func(Event)
	changed chan struct{} // closed when there is one more
}

// New makes an empty record, whose time begins now.
func New() *Record { return &Record{begin: time.Now(), changed: make(chan struct{})} }

// Restart forgets what was recorded, and has time begin anew.
func (r *Record) Restart() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begin, r.events = time.Now(), nil
}

// Tell calls f for each event from now on, one at a time, as it is recorded. F calls no method of the record.
func (r *Record) Tell(f func(Event)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told = f
}

// Note records an event of the caller's. Its time is filled in.
func (r *Record) Note(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.At = time.Since(r.begin)
	r.events = append(r.events, e)
	if r.told != nil {
		r.told(e)
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

// Events are those of these parts, or all without any, in the order in which they happened.
func (r *Record) Events(parts ...Part) []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.events), func(e Event) bool {
		return len(parts) > 0 && !slices.Contains(parts, e.Part)
	})
}

// Lines are the texts of the events of these parts, or of all.
func (r *Record) Lines(parts ...Part) (all []string) {
	for _, e := range r.Events(parts...) {
		all = append(all, e.String())
	}
	return all
}

// Await returns the first event that is as asked, whether it was recorded before or is to come.
func (r *Record) Await(ctx context.Context, match func(Event) bool) (Event, error) {
	for seen := 0; ; {
		r.mu.Lock()
		events, changed := slices.Clone(r.events[min(seen, len(r.events)):]), r.changed
		seen = len(r.events)
		r.mu.Unlock()
		if i := slices.IndexFunc(events, match); i >= 0 {
			return events[i], nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Event{}, ctx.Err()
		}
	}
}
