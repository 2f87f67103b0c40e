package main

import (
	"context"
	"fmt"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// pair is one mishap, played to both.
type pair struct {
	scenario.Mishap
	sessions []*scenario.Session
}

// costs is step 2: every mishap at the same time, each on two reflectors with connections of their own.
func costs(ctx context.Context, l *lab.Lab) error {
	w := newWriter(l, l.HTTPClient())
	if err := w.clear(ctx); err != nil { // what the step before left
		return err
	}
	if err := w.create(ctx, "menu", "prices"); err != nil {
		return err
	}
	var pairs []pair
	defer func() { stopAll(pairs) }()
	for _, m := range mishaps() {
		p := pair{Mishap: m}
		for _, with := range both {
			s, err := with.run(l, m, settings{}).Start(ctx)
			if err != nil {
				return err
			}
			p.sessions = append(p.sessions, s)
		}
		pairs = append(pairs, p)
	}
	if err := play(ctx, w, pairs); err != nil {
		return err
	}
	l.Table(table(pairs)...)
	l.Conclude("After a close or a cut, a refused connection and a 429 the watch goes on from the last version. After " +
		"anything else, also a close before any event, the reflector begins again: it gets all objects, and the store's " +
		"content is replaced.")
	return nil
}

// play makes three changes: the first arrives everywhere, the second meets what goes wrong, and the third shows who
// still listens.
func play(ctx context.Context, w writer, pairs []pair) error {
	steps := []struct {
		write string
		until func(*scenario.Session) bool
		which func(scenario.Mishap) bool
	}{
		{"", filled, func(scenario.Mishap) bool { return true }},
		{"plum", has("plum"), func(scenario.Mishap) bool { return true }},
		{"pear", asked, func(m scenario.Mishap) bool { return !m.Quiet }},
		{"fig", has("fig"), func(m scenario.Mishap) bool { return !m.Deaf }},
	}
	for _, step := range steps {
		if step.write != "" {
			if err := w.create(ctx, step.write); err != nil {
				return err
			}
		}
		for _, p := range pairs {
			for _, s := range p.sessions {
				if !step.which(p.Mishap) {
					continue
				}
				if err := s.Wait(ctx, step.until); err != nil {
					return fmt.Errorf("%s: %w", p.Name, err)
				}
			}
		}
	}
	return nil
}

// table has a row for each mishap, and an empty one between groups.
func table(pairs []pair) [][]string {
	rows := [][]string{{"what goes wrong", both[0].name, "after", both[1].name, "after", "store"}}
	begins := map[string]bool{}
	for _, group := range groups[1:] {
		begins[group[0].Name] = true
	}
	for _, p := range pairs {
		if begins[p.Name] {
			rows = append(rows, nil)
		}
		row := []string{p.Text}
		for _, s := range p.sessions {
			next, _ := s.Next()
			row = append(row, next.String(), seconds(next))
		}
		last := told(p.sessions[0])
		if other := told(p.sessions[1]); other != last {
			last += " / " + other
		}
		rows = append(rows, append(row, last))
	}
	return rows
}

// told says what the store heard after the mishap.
func told(s *scenario.Session) string {
	switch {
	case s.Replaced():
		return "replaced"
	case s.Has("fig"):
		return "events"
	}
	return "nothing"
}

func seconds(n scenario.Next) string {
	if n.Kind == "" {
		return "-"
	}
	return fmt.Sprintf("%.1f s", n.After.Round(100*time.Millisecond).Seconds())
}

func stopAll(pairs []pair) {
	for _, p := range pairs {
		for _, s := range p.sessions {
			s.Stop()
		}
	}
}
