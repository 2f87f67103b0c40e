package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	rows := [][]string{{"", "kube-apiserver", "your window of four"}}
	forgotten := changes[len(changes)-room-1].Revision
	for _, q := range []struct {
		revision uint64
		which    string
	}{
		{first, "before all of them"},
		{changes[0].Revision, "the first"},
		{forgotten, "the newest that is forgotten"},
		{forgotten + 1, "a revision of something else"},
		{changes[len(changes)-2].Revision, "the last but one"},
		{changes[len(changes)-1].Revision, "the last"},
	} {
		real, err := t.after(ctx, q.revision)
		if err != nil {
			return err
		}
		told, err := window.Since(q.revision)
		rows = append(rows,
			[]string{fmt.Sprintf("after %d, %s", q.revision, q.which), shown(real, nil), shown(told, err)})
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
		return fmt.Errorf("after %d your Since returned the error %w: %s", revision, err, moreWindow)
	case tooOld && !expired:
		return fmt.Errorf("after %d came %s, and a window of %d no longer has all of it: ErrExpired is due, "+
			"and your Since returned %s: %s", revision, shown(real, nil), room, shown(told, nil), moreWindow)
	case !tooOld && expired:
		return fmt.Errorf("after %d came %s, all of it among the last %d changes, and your Since returned "+
			"ErrExpired: %s", revision, shown(real, nil), room, moreWindow)
	case !tooOld && !slices.Equal(real, told):
		return fmt.Errorf("after %d came %s, and your Since returned %s: %s", revision, shown(real, nil),
			shown(told, nil), moreWindow)
	}
	return nil
}

// shown is an answer in a line.
func shown(changes []history.Change, err error) string {
	if err != nil {
		return err.Error()
	}
	if len(changes) == 0 {
		return "nothing"
	}
	var words []string
	for _, c := range changes {
		words = append(words, fmt.Sprintf("%d", c.Revision))
	}
	return strings.Join(words, " ")
}
