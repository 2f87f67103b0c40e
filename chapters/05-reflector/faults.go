package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

type instead = map[int]scenario.Answer

// groups are all that goes wrong in step 2, in the order of what it costs: nothing, a watch, all objects, a beginning.
// Request 1 is a streaming list. Its first two events are the initial ones, the third is a change that everybody gets,
// and the fourth meets what goes wrong.
var groups = [][]scenario.Mishap{{
	{Name: "delay", Text: "an event comes late", Script: "1.4 delay 500ms", Quiet: true},
	{Name: "drop-bookmarks", Text: "no more bookmarks", Script: "1 drop-bookmarks", Quiet: true},
	{Name: "stall", Text: "no byte and no end", Script: "1.4 stall", Quiet: true, Deaf: true},
}, {
	{Name: "close", Text: "closed in good order", Script: "1.4 close"},
	{Name: "cut", Text: "cut inside an event", Script: "1.4 cut"},
	{Name: "truncate", Text: "half an event, then closed", Script: "1.4 truncate"},
	{Name: "refused", Text: "connection refused", Script: "1.4 close", Instead: instead{2: scenario.Refused}},
	{Name: "too-many", Text: "status 429, Retry-After: 3", Script: "1.4 close; 2 too-many 3s"},
}, {
	{Name: "short", Text: "closed before any event", Script: "1.4 close",
		Instead: instead{2: scenario.ClosedAtOnce}},
	{Name: "away", Text: "no answer, connection lost", Script: "1.4 close; 2 away"},
	{Name: "unavailable", Text: "status 503", Script: "1.4 close; 2 unavailable"},
	{Name: "error", Text: "status 500", Script: "1.4 close; 2 error"},
	{Name: "error-event", Text: "ERROR event 500", Script: "1.4 error-event"},
	{Name: "gone", Text: "status 410", Script: "1.4 close; 2 gone"},
	{Name: "expired", Text: "ERROR event 410", Script: "1.4 expired"},
	{Name: "gone-again", Text: "ERROR event 410, then 410", Script: "1.4 expired; 2 gone"},
}, {
	{Name: "half", Text: "streaming list cut half-way", Script: "1.2 cut", Start: true},
	{Name: "not-ready", Text: "streaming list: 429", Instead: instead{1: scenario.NotReady}, Start: true},
	{Name: "no-streaming", Text: "streaming list: 422", Instead: instead{1: scenario.NoStreaming}, Start: true},
	{Name: "no-list", Text: "list after that: 503", Script: "1 unavailable",
		Instead: instead{1: scenario.NoStreaming}, Start: true},
}}

// mishaps are those of all groups.
func mishaps() []scenario.Mishap { return slices.Concat(groups...) }

// eachMishap plays one mishap, slowly.
func eachMishap() (all []lab.Fault) {
	for _, m := range mishaps() {
		title := strings.ToUpper(m.Text[:1]) + m.Text[1:]
		all = append(all, lab.Fault{Name: m.Name, Steps: []lab.Step{{Title: title, Why: why(m), Run: slowly(m)}}})
	}
	return all
}

// why says which of the writes or requests meets a mishap.
func why(m scenario.Mishap) string {
	if m.Start {
		return "One reflector after the other. menu and prices are there, and what goes wrong meets the first requests. " +
			"Then somebody creates plum, pear and fig."
	}
	meets := "pear meets what goes wrong"
	if _, second := m.Instead[2]; second || strings.HasPrefix(m.Script, "1.4 close; ") {
		meets = "the watch ends with pear, the next request meets what goes wrong"
	}
	return "One reflector after the other. Each begins with menu and prices. Then somebody creates plum, pear and fig: " +
		"plum arrives, " + meets + ", and fig shows who still listens."
}

// slowly narrates what both reflectors make of a mishap.
func slowly(m scenario.Mishap) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) error {
		quiet := newWriter(l, l.HTTPClient())
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
	loud := newWriter(l, l.Aloud(l.HTTPClient()))
	s, err := with.aloud(l, m).Start(ctx)
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
		if err := s.Quiet(ctx, settled(m, name)); err != nil {
			return err
		}
	}
	next, _ := s.Next()
	l.Conclude("%s", sentence(next, told(s)))
	return nil
}

// settled says that the store has an object and, from the second on, that all is over that a mishap set off.
func settled(m scenario.Mishap, name string) func(*scenario.Session) bool {
	return func(s *scenario.Session) bool {
		if !s.Has(name) || m.Quiet || name == "plum" {
			return s.Has(name)
		}
		next, is := s.Next()
		return is && (next.Kind == "watch" || s.Replaced())
	}
}

// sentence says what came of a mishap.
func sentence(next scenario.Next, told string) string {
	if next.Kind == "" {
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

// stopFault is -fault stop.
func stopFault() lab.Fault {
	return lab.Fault{Name: "stop", Steps: []lab.Step{{Title: "Stop it while it waits", Run: stopWaiting,
		Why: "The first streaming list is refused with 429. The reflector waits. Then its context ends."}}}
}

// stopWaiting measures how long a reflector takes to stop in its first delay.
func stopWaiting(ctx context.Context, l *lab.Lab) error {
	rows := [][]string{{"", "stopped after"}}
	for _, with := range both {
		busy := scenario.Mishap{Script: "1 too-many"}
		s, err := with.run(l, busy, settings{}).Start(ctx)
		if err != nil {
			return err
		}
		failed := func(s *scenario.Session) bool { return s.Failures() == 1 }
		if err := s.Wait(ctx, failed); err != nil {
			s.Stop()
			return err
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil { // it waits by now
			s.Stop()
			return err
		}
		rows = append(rows, []string{with.name, fmt.Sprintf("%.1f s", s.Stop().Seconds())})
	}
	l.Table(rows...)
	l.Conclude("In a streaming list client-go's reflector sits its delay out before it looks at the context. The first delay " +
		"is a second, the longest a minute. Whoever waits for all informers to stop waits for the slowest.")
	return nil
}

// noEndFault is -fault no-end.
func noEndFault() lab.Fault {
	return lab.Fault{Name: "no-end", Steps: []lab.Step{{Title: "A streaming list without an end", Run: noEnd,
		Why: "A server knows watches with bookmarks, and nothing of streaming lists. It accepts one, sends the objects, " +
			"and never says that these were all. Both reflectors are watched for 21 seconds."}}}
}

// noEnd shows what becomes of a store whose initial state is never complete.
func noEnd(ctx context.Context, l *lab.Lab) error {
	if err := newWriter(l, l.HTTPClient()).create(ctx, "menu", "prices"); err != nil {
		return err
	}
	requests, calls := []string{"requests"}, []string{"calls of Replace"}
	logged := make([]lines, len(both))
	var sessions []*scenario.Session
	defer func() {
		for _, s := range sessions {
			s.Stop()
		}
	}()
	for i, with := range both {
		run := with.run(l, scenario.Mishap{Instead: instead{1: scenario.NoEnd}}, settings{})
		run.Logged = logged[i].add
		s, err := run.Start(ctx)
		if err != nil {
			return err
		}
		sessions = append(sessions, s)
	}
	if err := pause(ctx, 21*time.Second); err != nil {
		return err
	}
	head := []string{""}
	for i, s := range sessions {
		head = append(head, both[i].name)
		requests = append(requests, fmt.Sprint(s.Requests()))
		calls = append(calls, fmt.Sprint(s.Calls("Replace")))
	}
	l.Table(head, requests, calls)
	for i, with := range both {
		l.Say("%s:", with.name)
		if last := logged[i].last(); last != nil {
			show(l, last.message, last.err)
		} else {
			show(l, "nothing", nil)
		}
	}
	l.Conclude("Both have two objects in memory, and their stores have none. Nobody can know that there is no third. " +
		"When the server ends the watch, both ask for another streaming list, and will never ask for a list.")
	return nil
}

// lines are those of a log.
type lines struct {
	mu   sync.Mutex
	said []line
}

type line struct {
	message string
	err     any
}

func (l *lines) add(message string, err any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said = append(l.said, line{message, err})
}

// last is the last line, or nil.
func (l *lines) last() *line {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.said) == 0 {
		return nil
	}
	return &l.said[len(l.said)-1]
}
