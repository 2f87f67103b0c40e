package main

import (
	"context"
	"fmt"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// live is step 2: events out of a response that is still being written.
func live(ctx context.Context, l *lab.Lab) error {
	l.Sent("GET %s?watch=true", configMaps(l))
	stream, err := clientOf(l).Watch(ctx, configMaps(l), watch.Options{})
	if err != nil {
		return err
	}
	defer stream.Close()
	l.Wire("%s, and no Content-Length: the server does not know it either", stream.Response.Status)
	for range 2 {
		if err := printNext(l, stream, "there already"); err != nil {
			return err
		}
	}
	l.Conclude("Without a resourceVersion a watch begins with what is there. Now the changes:")
	for _, write := range []struct {
		says string
		do   func() error
	}{
		{"POST white", func() error { return create(ctx, l, tea("white", 1, nil)) }},
		{"PATCH white: two cups", func() error { return patch(ctx, l, "white", object{"data": object{"cups": "2"}}) }},
		{"DELETE white", func() error { return remove(ctx, l, "white") }},
	} {
		l.Sent("%s", write.says)
		start := time.Now()
		if err := write.do(); err != nil {
			return err
		}
		if err := printNext(l, stream, "%s after the write began", start); err != nil {
			return err
		}
	}
	l.Conclude("Five events, one response, and it is still open. A client that reads it to the end with " +
		"io.ReadAll would have seen none of them.")
	return nil
}

// printNext prints the next event. The note may have a verb, for the time since a start.
func printNext(l *lab.Lab, s *watch.Stream, note string, since ...time.Time) error {
	event, meta, err := next(s)
	if err != nil {
		return err
	}
	for _, start := range since {
		note = fmt.Sprintf(note, milliseconds(time.Since(start)))
	}
	l.Event(string(event.Type), "%-6s resourceVersion %s, %s", meta.Name, meta.ResourceVersion, note)
	return nil
}
