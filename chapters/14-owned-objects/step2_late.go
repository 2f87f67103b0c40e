package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// late is step 2: what a controller makes that its cache does not show.
func (t *tour) late(ctx context.Context, l *lab.Lab) error {
	for _, c := range []struct {
		who, name string
		way       scenario.Way
	}{{"A controller that counts what its cache has:", "cached", scenario.Ways()[0]},
		{"This chapter's:", "known", ours()}} {
		l.Say("%s", c.who)
		o := scenario.Options{Way: c.way, Shown: onlyChildren(l), Tally: scenario.NewTally(0)}
		err := t.under(ctx, l, o, func(w *scenario.World, s *scenario.Site) error {
			return twice(ctx, l, w, s, o.Tally, c.name)
		})
		if err != nil {
			return err
		}
	}
	l.Conclude("A cache shows what a controller has done after a while, and until then a run decides from the past. This " +
		"chapter's controller remembers which names it has created and not seen: while there are some, it makes and " +
		"deletes nothing.")
	return nil
}

// twice has a controller run for a new set of two, and again when it is edited, before it is shown anything.
func twice(ctx context.Context, l *lab.Lab, w *scenario.World, s *scenario.Site, tally *scenario.Tally,
	name string) error {
	set := scenario.Set(l.Namespace, name, 2)
	s.Close()
	if err := s.Rest(ctx, func() error { return w.User.Create(ctx, set) }); err != nil {
		return err
	}
	l.Became("it has run once, and made %d", tally.Made())
	if err := s.Rest(ctx, func() error { return w.Edit(ctx, set, 1) }); err != nil {
		return err
	}
	l.Became("it has run twice, and made %d", tally.Made())
	return w.Clear(ctx, set)
}
