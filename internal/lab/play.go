package lab

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// player is one run of a demo.
type player struct {
	*Narrator
	demo              Demo
	in                *bufio.Reader
	drop              func() bool // forgets what was typed before it was asked for, and says whether it can
	step, interactive bool
	faultName         string // what -fault was given, empty without it
	fault             Fault
	stayed            bool // the interactive part has run: Ctrl-C is how that ends
	building          bool // all is played, and the real servers are built for the next run
	world             world
}

// play plays the demo, before the real servers are built first on the book's own.
func (p *player) play(ctx context.Context, cancel context.CancelCauseFunc) error {
	p.line(p.paint(bold, p.demo.Chapter+": "+p.demo.Title))
	if err := p.refuseBook(); err != nil {
		return err
	}
	if p.bookFirst(ctx) {
		return p.playBookFirst(ctx, cancel)
	}
	return p.playOn(ctx, cancel, p.world.connect)
}

// playOn connects, plays the steps, and cleans up whatever happened.
func (p *player) playOn(ctx context.Context, cancel context.CancelCauseFunc,
	connect func(context.Context, Options) (*Cluster, error)) (err error) {
	cluster, err := connect(ctx, Options{Controllers: p.demo.Controllers, Progress: p.w})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Close()) }()
	defer cluster.endWith(cancel)()
	start := time.Now()
	if !cluster.Private {
		for _, name := range cluster.removeLeftovers(ctx) {
			p.line("Namespace " + name + ", which a killed run left, is deleted.")
		}
	}
	own, err := cluster.InNamespace(ctx, "scratch-"+p.demo.Chapter[:2])
	if err != nil {
		return explain(err, cluster)
	}
	p.own = own.Namespace
	p.line(own.Describe())
	p.line("Namespace " + own.Namespace + ", deleted at the end.")
	err = p.steps(ctx, &Lab{Cluster: own, Narrator: p.Narrator})
	took := time.Since(start).Seconds()
	// A server that went away cannot delete anything, and the error that says so is there already.
	if undeleted := own.DeleteNamespace(context.WithoutCancel(ctx)); undeleted != nil &&
		!errors.Is(err, ErrServerGone) {
		return errors.Join(err, undeleted)
	}
	if err == nil {
		p.line(p.paint(dim, fmt.Sprintf("\nDone in %.1f s; namespace %s is deleted.", took, own.Namespace)))
		p.next()
	}
	return err
}

// steps plays the steps, or those of the fault, and then the interactive part when it is asked for.
func (p *player) steps(ctx context.Context, l *Lab) error {
	steps := p.demo.Steps
	if p.faultName != "" {
		steps = p.fault.Steps
	}
	for i, s := range steps {
		if i > 0 && p.step && !p.enter(ctx) {
			return context.Cause(ctx)
		}
		place := p.place(i)
		p.Heading(place, s.Title)
		p.Say("%s", s.Why)
		asked := p.step && s.Question != ""
		answer := func(func()) {}
		if asked {
			p.wrapped("?", s.Question)
			if !p.enter(ctx) {
				return context.Cause(ctx)
			}
			answer = p.holdBack()
		}
		quiet := p.working()
		err := runStep(ctx, s, l)
		quiet()
		if err != nil {
			answer(func() {})
			return fmt.Errorf("at %s (%s): %w", place, s.Title, explain(err, l.Cluster))
		}
		answer(func() { p.wrapped("?", "Answer: "+s.Answer) })
	}
	if !p.interactive {
		return nil
	}
	return p.stay(ctx, l)
}

// place says where the i-th of the played steps stands: "2/7" among the demo's, or the name of the fault it shows.
func (p *player) place(i int) string {
	switch {
	case p.faultName == "":
		return fmt.Sprintf("%d/%d", i+1, len(p.demo.Steps))
	case p.fault.First > 0:
		return fmt.Sprintf("%d/%d", p.fault.First+i, len(p.demo.Steps))
	}
	return "-fault " + p.faultName
}

// next says on a terminal, where somebody sits, what comes after what was played.
func (p *player) next() {
	if !p.redraws || strings.Contains(p.demo.Chapter, "/") {
		return
	}
	lesson := "chapters/" + p.demo.Chapter + "/README.md"
	lines := []string{"Next: read " + lesson}
	switch {
	case p.faultName != "":
		lines = []string{"The others: " + lesson + "#where-it-breaks"}
	case !p.step:
		lines = append(lines, "      go run ./chapters/"+p.demo.Chapter+" -step asks what will happen")
	}
	if p.faultName == "" {
		lines = append(lines, "      make grade EX="+p.demo.Chapter[:2]+".1 names the first exercise")
	}
	for _, l := range lines { // a command is not broken, so that it can be copied
		p.line(p.paint(dim, l))
	}
}
