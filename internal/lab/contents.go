package lab

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab/contents"
)

// contents makes the table of a demo whose flags are f.
func (d Demo) contents(f *flag.FlagSet) contents.Contents {
	c := contents.Contents{Chapter: d.Chapter, Title: d.Title, Steps: listed(d.Steps, 1), Faults: []contents.Fault{},
		Interactive: d.Interactive != nil}
	for _, fault := range d.Faults {
		c.Faults = append(c.Faults, contents.Fault{Name: fault.Name, Steps: listed(fault.Steps, fault.First)})
	}
	if d.FaultFor != nil {
		c.Script = d.FaultText
	}
	own := flag.NewFlagSet("", flag.ContinueOnError)
	if d.Flags != nil {
		d.Flags(own) // what was read is set back: nothing is played any more
	}
	f.VisitAll(func(f *flag.Flag) {
		c.Flags = append(c.Flags, contents.Flag{
			Name: f.Name, Usage: f.Usage, Default: f.DefValue, Own: own.Lookup(f.Name) != nil,
		})
	})
	return c
}

// listed lists steps of which the first has a number; with 0 none has one.
func listed(steps []Step, first int) []contents.Step {
	all := []contents.Step{}
	for i, s := range steps {
		l := contents.Step{Title: s.Title, Why: s.Why, Question: s.Question, Answer: s.Answer}
		if first > 0 {
			l.Number = first + i
		}
		all = append(all, l)
	}
	return all
}

// list shows the contents, for a program or for a reader.
func (p *player) list(c contents.Contents, asJSON bool) {
	if asJSON {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		_ = e.Encode(c) // texts, numbers and truth values
		p.partial(b.String())
		return
	}
	p.line(p.paint(bold, c.Chapter+": "+c.Title))
	part := func(flags, does string) {
		p.line("\n" + p.paint(bold, strings.TrimSpace("go run ./chapters/"+c.Chapter+" "+flags)))
		p.Say("%s", does)
	}
	part("",
		"plays these steps. With -step it waits for Enter between them, and asks before a step what stands below it.")
	for _, s := range c.Steps {
		p.row(fmt.Sprintf("   %2d  ", s.Number), s.Title)
		if s.Question != "" {
			p.row("       ? ", s.Question)
		}
	}
	if len(c.Faults) > 0 || c.Script != "" {
		part("-fault NAME", "plays a failure in their place.")
	}
	p.pairs(faultRows(c))
	if c.Interactive {
		part("-interactive", "stays after the steps, to be driven with kubectl.")
	}
	var own [][2]string
	for _, f := range c.Flags {
		if f.Own {
			own = append(own, [2]string{"-" + f.Name, f.Usage})
		}
	}
	if len(own) > 0 {
		p.line("\nEach takes also")
	}
	p.pairs(own)
}

// row is a line with a label, and its text wrapped beside it.
func (p *player) row(label, text string) {
	for _, l := range Wrap(text, width-len(label)) {
		p.line(label + l)
		label = strings.Repeat(" ", len(label))
	}
}

// pairs are rows whose labels have the same width.
func (p *player) pairs(rows [][2]string) {
	widest := 0
	for _, r := range rows {
		widest = max(widest, len(r[0]))
	}
	for _, r := range rows {
		p.row(fmt.Sprintf("   %-*s  ", widest, r[0]), r[1])
	}
}

// faultRows are the names of the faults, and what each plays.
func faultRows(c contents.Contents) (rows [][2]string) {
	for _, f := range c.Faults {
		rows = append(rows, [2]string{f.Name, plays(f)})
	}
	if c.Script != "" {
		rows = append(rows, [2]string{"SCRIPT", fmt.Sprintf("what you have written, such as %q", c.Script)})
	}
	return rows
}

// plays names the steps of a fault: its own by their titles, the demo's by their numbers.
func plays(f contents.Fault) string {
	first, last := f.Steps[0].Number, f.Steps[len(f.Steps)-1].Number
	switch {
	case first == 0:
		var titles []string
		for _, s := range f.Steps {
			titles = append(titles, s.Title)
		}
		return strings.Join(titles, "; ")
	case first == last:
		return fmt.Sprintf("step %d, with this failure", first)
	}
	return fmt.Sprintf("steps %d to %d, with this failure", first, last)
}
