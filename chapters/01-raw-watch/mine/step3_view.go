package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/3-view"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// moreView is where a reader whose View fails goes next.
const moreView = "make grade EX=01.3 says more"

// selection is what the view shows: label drink=tea.
const selection = "drink=tea"

// drink edits the label by which an object is selected.
func drink(name, what string) write {
	return patch(name, object{"metadata": object{"labels": object{"drink": what}}})
}

// views keeps the reader's View true to a selection, and compares it with a fresh list after each event.
func (p pieces) views(ctx context.Context, l *lab.Lab) error {
	c := newCollection(l)
	if err := c.do(ctx, create("mint", object{"cups": "1"})); err != nil {
		return err
	}
	version, objects, err := c.list(ctx, selection)
	if err != nil {
		return err
	}
	v := view.New(version, objects, c.lookup(ctx))
	l.Became("the view is a list: %s", names(objects))
	next, closed, err := p.events(ctx, c, selection, version)
	if err != nil {
		return fmt.Errorf("%s: %v", p.reader(), err)
	}
	defer closed()
	var unwritten *later // of the lowest stage
	for _, change := range []struct {
		write
		want view.Kind
	}{
		{create("oolong", object{"cups": "1"}), view.Entered},
		{patch("oolong", object{"data": object{"cups": "2"}}), view.Changed},
		{drink("oolong", "coffee"), view.Left},
		{drink("oolong", "tea"), view.Entered},
		{remove("oolong"), view.Gone},
	} {
		if err := c.do(ctx, change.write); err != nil {
			return err
		}
		event, late, err := within(ctx, next)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case late:
			return fmt.Errorf("%v after the %v no event has come by %s", patience, change.write, p.reader())
		case err != nil:
			return fmt.Errorf("after the %v %s says: %v", change.write, p.reader(), err)
		}
		stage, err := c.apply(ctx, v, event, change.want)
		if err != nil {
			return err
		}
		unwritten = lower(unwritten, stage)
	}
	l.Conclude("After each event your View was equal to a fresh LIST of the selection.")
	if unwritten != nil {
		return concludes(l, unwritten, "")
	}
	return concludes(l, nil, "Your View knew how far it has come, and the object that left from the one that is gone.")
}

// apply gives the view an event, and compares what came of it. It fails where stage 1 does, and returns what of stages
// 2 and 3 is missing.
func (c *collection) apply(ctx context.Context, v *view.View, event view.Event, want view.Kind) (*later, error) {
	kind, err := v.Apply(event)
	if err != nil {
		return nil, fmt.Errorf("your Apply of the %s of %s: %v: %s", event.Type, event.Object.Name, err, moreView)
	}
	c.lab.Changed(event.Type, "%s: %s", event.Object.Name, kind)
	_, fresh, err := c.list(ctx, selection)
	if err != nil {
		return nil, err
	}
	if got, want := names(v.Objects()), names(fresh); got != want {
		return nil, fmt.Errorf("after the %s of %s your View has %s, and a fresh LIST %s: %s",
			event.Type, event.Object.Name, got, want, moreView)
	}
	met := fmt.Sprintf("your Apply of the %s of %s returned %s, where %s is due",
		event.Type, event.Object.Name, kind, want)
	got := v.ResourceVersion()
	switch {
	case kind != want && !(kind == view.Left && want == view.Gone):
		return nil, fmt.Errorf("%s: %s", met, moreView)
	case got != event.Object.ResourceVersion:
		return &later{"01.3", 2, fmt.Sprintf("after the %s of %s your View is at the resourceVersion %s, "+
			"and the event at %s", event.Type, event.Object.Name, got, event.Object.ResourceVersion)}, nil
	case kind != want:
		return &later{"01.3", 3, met}, nil
	}
	return nil, nil
}

// lookup gets one object from the server.
func (c *collection) lookup(ctx context.Context) view.Lookup {
	return func(_, name string) (view.Object, error) {
		code, answer, err := lab.SendJSON(ctx, c.lab.Aloud(c.lab.HTTPClient()), http.MethodGet, c.url("/"+name), nil)
		switch {
		case err != nil:
			return view.Object{}, err
		case code == http.StatusNotFound:
			return view.Object{}, fmt.Errorf("%s: %w", name, view.ErrNotFound)
		case code != http.StatusOK:
			return view.Object{}, fmt.Errorf("GET of %s: %d %s", name, code, http.StatusText(code))
		}
		return objectOf(json.RawMessage(answer))
	}
}

// names are the objects' names and versions, in order.
func names(objects []view.Object) string {
	var all []string
	for _, o := range objects {
		all = append(all, fmt.Sprintf("%s (%s)", o.Name, o.ResourceVersion))
	}
	if len(all) == 0 {
		return "nothing"
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}
