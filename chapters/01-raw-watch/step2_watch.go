package main

import (
	"context"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// live is step 2: events out of a response that is still being written.
func live(ctx context.Context, l *lab.Lab) error {
	stream, err := clientOf(l).Watch(ctx, configMaps(l), watch.Options{})
	if err != nil {
		return err
	}
	defer stream.Close()
	l.Wire("%s, and no Content-Length: the server does not know it either", stream.Response.Status)
	for range 2 {
		event, meta, err := next(stream)
		if err != nil {
			return err
		}
		printEvent(l, event, meta, "there already")
	}
	l.Conclude("Without a resourceVersion a watch begins with what is there. Now the changes:")
	for _, write := range []func() error{
		func() error { return aloud(l).create(ctx, tea("white", 1, nil)) },
		func() error { return aloud(l).patch(ctx, "white", object{"data": object{"cups": "2"}}) },
		func() error { return aloud(l).remove(ctx, "white") },
	} {
		start := time.Now()
		if err := write(); err != nil {
			return err
		}
		event, meta, err := next(stream)
		if err != nil {
			return err
		}
		printEvent(l, event, meta, milliseconds(time.Since(start))+" after the write began")
	}
	l.Conclude("Five events, one response, and it is still open. " +
		"A client that reads it to the end with io.ReadAll would have seen none of them.")
	return nil
}

// printEvent prints an event, and a note on it.
func printEvent(l *lab.Lab, event watch.Event, meta watch.Meta, note string) {
	l.Event(string(event.Type), "%-6s resourceVersion %s, %s", meta.Name, meta.ResourceVersion, note)
}
