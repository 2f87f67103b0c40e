package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/exercises/1-history"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// moreWindow is where a reader whose Window fails goes next.
const moreWindow = "make grade EX=03.1 says more"

// room is how many changes the window may keep.
const room = 4

// remember has the reader's Window remember what happens to the teas, and asks it and the API server what came after a
// version.
func remember(ctx context.Context, l *lab.Lab) error {
	t := newTeas(l)
	begin, err := t.now(ctx)
	if err != nil {
		return err
	}
	first, err := strconv.ParseUint(begin, 10, 64)
	if err != nil {
		return fmt.Errorf("the list's resourceVersion: %w", err)
	}
	changes, err := t.change(ctx, begin)
	if err != nil {
		return err
	}
	window := history.New(room, first)
	for _, c := range changes {
		window.Add(c)
		l.Changed("Add", "%s at %d", c.Name, c.Revision)
	}
	rows := [][]string{{"a client has seen", "changes after that", "your window of four"}}
	forgotten := changes[len(changes)-room-1].Revision
	for _, q := range []struct {
		revision uint64
		which    string
	}{
		{first, "nothing of it"},
		{changes[0].Revision, "the first change"},
		{forgotten, "the newest that is forgotten"},
		{forgotten + 1, "that, and one of something else"},
		{changes[len(changes)-2].Revision, "all but the last"},
		{changes[len(changes)-1].Revision, "all"},
	} {
		real, err := t.after(ctx, q.revision)
		if err != nil {
			return err
		}
		told, err := window.Since(q.revision)
		rows = append(rows, []string{q.which, shown(real, nil), shown(told, err)})
		if err := rightAnswer(q.revision, q.revision < forgotten, real, told, err); err != nil {
			l.Table(rows...)
			return err
		}
	}
	l.Table(rows...)
	l.Conclude("Your window says what the API server says, " +
		"or that it can't tell, and it says so to nobody who has missed nothing.")
	return nil
}

// change writes teas and other things, and returns what a watch of the teas has seen of it.
func (t *teas) change(ctx context.Context, version string) ([]history.Change, error) {
	aloud := t.lab.Aloud(t.lab.HTTPClient())
	if err := t.create(ctx, aloud, "green", "tea"); err != nil {
		return nil, err
	}
	if err := t.create(ctx, aloud, "black", "tea"); err != nil {
		return nil, err
	}
	if err := t.create(ctx, aloud, "beans", "coffee"); err != nil {
		return nil, err
	}
	for i, name := range []string{"green", "black", "green", "black"} {
		if err := t.pour(ctx, aloud, name, i+1); err != nil {
			return nil, err
		}
	}
	return t.until(ctx, version, 6)
}

// after is what a watch from a version is given by the API server, whose window is large.
func (t *teas) after(ctx context.Context, revision uint64) ([]history.Change, error) {
	o := selected(strconv.FormatUint(revision, 10))
	o.TimeoutSeconds = 1
	return t.read(ctx, o, -1)
}

// until reads the first n events after a version.
func (t *teas) until(ctx context.Context, version string, n int) ([]history.Change, error) {
	return t.read(ctx, selected(version), n)
}

// read reads n events of a watch, or all until it ends.
func (t *teas) read(ctx context.Context, o watch.Options, n int) (changes []history.Change, err error) {
	stream, err := t.client.Watch(ctx, t.path, o)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	for len(changes) != n {
		event, err := stream.Next()
		if n < 0 && err != nil && ctx.Err() == nil {
			return changes, unlessEnd(err)
		}
		if err != nil {
			return nil, err
		}
		if err := event.Err(); err != nil {
			return nil, err
		}
		meta, err := event.Meta()
		if err != nil {
			return nil, err
		}
		revision, err := strconv.ParseUint(meta.ResourceVersion, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the resourceVersion of %s: %w", meta.Name, err)
		}
		changes = append(changes, history.Change{Revision: revision, Name: meta.Name})
	}
	return changes, nil
}

// rightAnswer compares what the window told with what the API server knows.
func rightAnswer(revision uint64, tooOld bool, real, told []history.Change, err error) error {
	expired := errors.Is(err, history.ErrExpired)
	switch {
	case err != nil && !expired:
		return fmt.Errorf("after %d your Since returned the error %v: %s", revision, err, moreWindow)
	case tooOld && !expired:
		return fmt.Errorf("after %d came %v, and a window of %d no longer has all of it: ErrExpired is due, "+
			"and your Since returned %v: %s", revision, real, room, told, moreWindow)
	case !tooOld && expired:
		return fmt.Errorf("after %d came %v, all of it among the last %d changes, and your Since returned "+
			"ErrExpired: %s", revision, real, room, moreWindow)
	case !tooOld && !slices.Equal(real, told):
		return fmt.Errorf("after %d came %v, and your Since returned %v: %s", revision, real, told, moreWindow)
	}
	return nil
}

// shown is an answer in a few words, however long the versions of a cluster are.
func shown(changes []history.Change, err error) string {
	switch {
	case errors.Is(err, history.ErrExpired):
		return "ErrExpired"
	case err != nil:
		return "an error"
	case len(changes) == 0:
		return "nothing"
	case len(changes) == 1:
		return fmt.Sprintf("1: %d", changes[0].Revision)
	}
	return fmt.Sprintf("%d: %d to %d", len(changes), changes[0].Revision, changes[len(changes)-1].Revision)
}
