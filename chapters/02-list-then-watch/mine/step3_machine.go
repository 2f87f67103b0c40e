package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/exercises/1-resume"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/exercises/2-paging"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// endings are the faults that the state machine meets: each kind of end, and a list that is lost.
var endings = faults.Written{
	{Request: 2, Event: 2, Kind: faults.Cut},
	{Request: 3, Kind: faults.Unavailable},
	{Request: 4, Event: 2, Kind: faults.Close},
	{Request: 5, Event: 1, Kind: faults.Expired},
	{Request: 6, Kind: faults.InternalError},
}

// machine drives requests as the reader's resume.Client wants them.
type machine struct {
	yours  pieces
	client *resume.Client
	c      *collection
	l      *lab.Lab
}

// underFire runs the machine while a writer writes, until the proxy has nothing left to break.
func (p pieces) underFire(ctx context.Context, l *lab.Lab) error {
	c := newCollection(l, endings)
	defer c.Close()
	if err := c.write(ctx, "old", 0); err != nil {
		return err
	}
	c.proxy.OnFault(func(_ faults.Record, f faults.Fault) {
		l.Event("FAULT", "%s", f.Kind)
		if f.Kind == faults.Expired { // between the 410 and the list, so that no event tells of it
			_ = c.remove(ctx, "old", 0) // where that fails, the list has it, too
		}
	})
	m := &machine{yours: p, client: &resume.Client{}, c: c, l: l}
	running, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	go func() { defer close(done); m.run(running) }()
	wrote := c.writeUntilQuiet(ctx)
	stop()
	<-done
	if wrote != nil {
		return fmt.Errorf("%w. make grade EX=02.1 says more", wrote)
	}
	fresh, err := c.versions(ctx)
	if err != nil {
		return err
	}
	for name := range m.client.View {
		if fresh[name] == "" {
			return fmt.Errorf("%s was deleted, and it is still in your view: make grade EX=02.1 says more", name)
		}
	}
	if !maps.Equal(m.client.View, fresh) {
		return fmt.Errorf("your view is %v, and a fresh LIST is %v: make grade EX=02.1 says more", m.client.View, fresh)
	}
	l.Conclude("Your view equals a fresh LIST of %d objects.", len(fresh))
	return nil
}

// run sends request after request, with the reader's delays or the book's.
func (m *machine) run(ctx context.Context) {
	if m.yours.delays {
		readersDelays().Keep(ctx, m.request)
		return
	}
	delays := listwatch.Backoff{Base: base, Cap: longest, Reset: time.Minute, Rand: rand.Float64}
	for ctx.Err() == nil {
		if m.request(ctx) == nil {
			continue
		}
		select {
		case <-time.After(delays.Next(time.Now())):
		case <-ctx.Done():
		}
	}
}

// request asks the machine for a request, sends it, and tells the machine how it went.
func (m *machine) request(ctx context.Context) error {
	next := m.client.Next()
	if next.Verb == "LIST" {
		return m.list(ctx)
	}
	o := watch.Options{ResourceVersion: next.ResourceVersion, AllowWatchBookmarks: true}
	if next.InitialEvents {
		o.SendInitialEvents, o.ResourceVersionMatch = "true", "NotOlderThan"
	}
	stream, err := m.c.through(m.l).Watch(ctx, m.c.path, o)
	if err != nil {
		m.client.Ended(statusOf(err))
		return busy(err)
	}
	defer stream.Close()
	for {
		event, err := stream.Next()
		if err != nil {
			m.client.Ended(0)
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if err := m.event(event); err != nil {
			return err
		}
	}
}

// event gives the machine an event in the exercise's form.
func (m *machine) event(event watch.Event) error {
	e := resume.Event{Type: string(event.Type)}
	var status *watch.StatusError
	switch failure := event.Err(); {
	case errors.As(failure, &status):
		e.Code = status.Code
	case failure != nil:
		return failure
	default:
		meta, err := event.Meta()
		if err != nil {
			return err
		}
		e.Name, e.ResourceVersion = meta.Name, meta.ResourceVersion
		e.InitialEventsEnd = meta.Annotations["k8s.io/initial-events-end"] == "true"
		if event.Type != watch.Bookmark {
			m.l.Changed(e.Type, "%s at %s", e.Name, e.ResourceVersion)
		}
	}
	m.client.Event(e)
	m.c.holds(m.client.View)
	return nil
}

// list lists with the reader's List or in one page, and tells the machine.
func (m *machine) list(ctx context.Context) error {
	var objects map[string]string
	version, err := "", error(nil)
	if m.yours.list {
		objects, version, err = m.readersList(ctx)
	} else {
		objects, version, err = m.c.list(ctx, m.c.through(m.l))
	}
	if err != nil {
		m.client.Ended(statusOf(err))
		return busy(err)
	}
	m.l.Became("a list at %s; objects: %d", version, len(objects))
	m.client.Listed(version, objects)
	m.c.holds(m.client.View)
	return nil
}

// readersList lists with the reader's List, which returns names. Their versions are read off the pages on their way.
func (m *machine) readersList(ctx context.Context) (map[string]string, string, error) {
	client := m.l.Aloud(m.c.proxy.Client())
	pages := &overheard{next: client.Transport, versions: map[string]string{}}
	client.Transport = pages
	names, version, err := paging.List(ctx, client, "http://faults"+m.c.path, 500)
	if err != nil {
		return nil, "", err
	}
	objects := map[string]string{}
	for _, name := range names {
		objects[name] = pages.versions[name]
	}
	return objects, version, nil
}
