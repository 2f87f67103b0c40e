package main

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// burst is how many Processes are created at once. One is deleted while it waits.
const burst = 6

// starts is step 3: a burst, while each start waits for the step.
func (r run) starts(ctx context.Context, l *lab.Lab) error {
	var yours *background
	gate := make(chan struct{})
	open := sync.OnceFunc(func() { close(gate) })
	defer open()
	pieces := kubelet.Pieces{Starter: func(most int, start func(machine.Spec)) kubelet.Background {
		yours = newBackground(most, start)
		return yours
	}}
	return r.within(ctx, l, pieces, func() { <-gate }, func(ctx context.Context, p *place) error {
		defer open() // before the kubelet is stopped, which waits for its starts
		if missing := yours.missing(); missing != "" {
			l.Say("%s", missing)
		}
		all, deleted, err := p.burst(ctx, yours)
		if err != nil {
			return err
		}
		open()
		return p.startedAll(ctx, yours, all, deleted)
	})
}

// burst creates the Processes, and deletes one whose start waits. Which ones wait is up to your Starts: the last that
// are handed over, or others.
func (p *place) burst(ctx context.Context, yours *background) (all []*scenario.Track, deleted string, err error) {
	for n := range burst {
		t, err := p.Track(ctx, p.Process(fmt.Sprintf("web-%d", n), "sleep", "60"), func(string) {})
		if err != nil {
			return nil, "", err
		}
		all = append(all, t)
	}
	err = p.until(ctx, func() bool {
		c := yours.count()
		return c.added == burst && c.running >= atOnce
	})
	c := yours.count()
	if err != nil {
		return nil, "", wrong("15.3", "%d starts were handed over, and %d should have begun: %d have", c.added, atOnce,
			c.running)
	}
	p.lab.Became("%d starts were handed over at once: %d have begun, and %d wait", c.added, c.running, c.waiting)
	at := burst - 1
	for i, t := range all {
		if yours.waits(machine.Run{UID: t.Now.UID, Attempt: 1}) {
			at = i
		}
	}
	deleted = all[at].Now.Name
	p.lab.Say("Somebody deletes %s.", deleted)
	if err := p.delete(ctx, deleted); err != nil {
		return nil, "", err
	}
	err = p.until(ctx, func() bool {
		c = yours.count()
		return c.waiting == burst-atOnce-1 || c.most > atOnce
	})
	if err != nil {
		return nil, "", fmt.Errorf("wait until the start of %s is taken back: %w", deleted, err)
	}
	return slices.Delete(all, at, at+1), deleted, nil
}

// startedAll waits until what is still wanted runs.
func (p *place) startedAll(ctx context.Context, yours *background, all []*scenario.Track, deleted string) error {
	within, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	for _, t := range all {
		if err := t.Until(within, isRunning(0)); err != nil {
			c := yours.count()
			return wrong("15.3", "%s should run: %v\n%d starts were handed over, %d have not begun", t.Now.Name, err, c.added, c.waiting)
		}
	}
	c := yours.count()
	switch {
	case c.most == burst:
		unwritten(p.lab, 2, "15.3", fmt.Sprintf("%d starts went on at once, and there was room for %d", c.most, atOnce))
		return nil
	case c.most != atOnce:
		return wrong("15.3", "there was room for %d starts at once, and %d went on", atOnce, c.most)
	}
	if err := p.until(ctx, func() bool { c = yours.count(); return c.told >= burst-1 }); err != nil {
		return wrong("15.3", "%d starts have ended, and done was told %d times", burst-1, c.told)
	}
	if yours.once && c.told != burst-1 {
		return wrong("15.3", "%d starts have ended, and done was told %d times: the one of %s was taken back", burst-1,
			c.told, deleted)
	}
	p.lab.Conclude("No run waited for a start, and no more than %d went on at once. %s was never started: it was gone before its "+
		"turn came.", c.most, deleted)
	return nil
}
