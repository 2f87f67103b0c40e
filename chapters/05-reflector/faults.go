package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

type instead = map[int]scenario.Answer

// mishaps are all that goes wrong in step 2, in the order of what it costs. Request 1 is a streaming list. Its first two
// events are the initial ones, the third is a change that everybody gets, and the fourth meets what goes wrong.
var mishaps = []scenario.Mishap{
	{Name: "delay", Text: "an event comes late", Script: "1.4 delay 500ms", Quiet: true},
	{Name: "drop-bookmarks", Text: "no bookmarks", Script: "1 drop-bookmarks", Quiet: true},
	{Name: "stall", Text: "no byte and no end", Script: "1.4 stall", Quiet: true, Deaf: true},
	{Name: "close", Text: "closed in good order", Script: "1.4 close"},
	{Name: "cut", Text: "cut inside an event", Script: "1.4 cut"},
	{Name: "truncate", Text: "half an event, then closed", Script: "1.4 truncate"},
	{Name: "refused", Text: "connection refused", Script: "1.4 close", Instead: instead{2: scenario.Refused}},
	{Name: "too-many", Text: "status 429, Retry-After: 3", Script: "1.4 close; 2 too-many 3s"},
	{Name: "short", Text: "closed at once, without an event", Script: "1.4 close",
		Instead: instead{2: scenario.ClosedAtOnce}},
	{Name: "away", Text: "connection lost while it asks", Script: "1.4 close; 2 away"},
	{Name: "unavailable", Text: "status 503", Script: "1.4 close; 2 unavailable"},
	{Name: "error", Text: "status 500", Script: "1.4 close; 2 error"},
	{Name: "error-event", Text: "ERROR event 500", Script: "1.4 error-event"},
	{Name: "gone", Text: "status 410", Script: "1.4 close; 2 gone"},
	{Name: "expired", Text: "ERROR event 410", Script: "1.4 expired"},
	{Name: "gone-again", Text: "ERROR event 410, then status 410", Script: "1.4 expired; 2 gone"},
	{Name: "half", Text: "first streaming list: cut half-way", Script: "1.2 cut", Start: true},
	{Name: "not-ready", Text: "first streaming list: 429", Instead: instead{1: scenario.NotReady}, Start: true},
	{Name: "no-streaming", Text: "first streaming list: 422", Instead: instead{1: scenario.NoStreaming}, Start: true},
}

// eachMishap plays one mishap, slowly.
func eachMishap() (all []lab.Fault) {
	for _, m := range mishaps {
		title := strings.ToUpper(m.Text[:1]) + m.Text[1:]
		all = append(all, lab.Fault{Name: m.Name, Steps: []lab.Step{{Title: title, Run: slowly(m),
			Why: "One reflector after the other. Each begins with menu and prices. Then somebody creates plum, " +
				"pear and fig: plum arrives, and fig shows who still listens."}}})
	}
	return all
}

// slowly narrates what both reflectors make of a mishap.
func slowly(m scenario.Mishap) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) error {
		quiet, err := newWriter(l, false)
		if err != nil {
			return err
		}
		if err := quiet.create(ctx, "menu", "prices"); err != nil {
			return err
		}
		for _, with := range both {
			l.Say("%s:", with.name)
			if err := alone(ctx, l, with, m); err != nil {
				return err
			}
			if err := quiet.delete(ctx, "plum", "pear", "fig"); err != nil {
				return err
			}
		}
		return nil
	}
}

// silence is how long nothing has to happen for it to be said that nothing does.
const silence = 2 * time.Second

// alone narrates one reflector's mishap.
func alone(ctx context.Context, l *lab.Lab, with implementation, m scenario.Mishap) error {
	loud, err := newWriter(l, true)
	if err != nil {
		return err
	}
	s, err := aloud(l, with, m).Start(ctx)
	if err != nil {
		return err
	}
	defer s.Stop()
	if err := s.Quiet(ctx, filled); err != nil {
		return err
	}
	for _, name := range []string{"plum", "pear", "fig"} {
		if err := loud.create(ctx, name); err != nil {
			return err
		}
		if m.Deaf && name != "plum" {
			if err := pause(ctx, silence); err != nil {
				return err
			}
			continue
		}
		if err := s.Quiet(ctx, has(name)); err != nil {
			return err
		}
	}
	next, _ := s.Next()
	l.Conclude("%s", sentence(next, told(s)))
	return nil
}

// sentence says what came of a mishap.
func sentence(next scenario.Next, told string) string {
	switch {
	case next.Kind == "":
		return "No request followed. The store heard: " + told + "."
	}
	return fmt.Sprintf("The next request after %s: %s. The store heard: %s.", seconds(next), next, told)
}

// pause waits, or less long if the step ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
