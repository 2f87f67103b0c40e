package lab

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// parse reads the arguments; ok is false when the run ends here, with that exit code.
func (p *player) parse(args []string) (code int, ok bool) {
	f := flag.NewFlagSet(p.demo.Chapter, flag.ContinueOnError)
	f.SetOutput(io.Discard) // the flag package prints errors its own way, with the usage after each
	f.BoolVar(&p.step, "step", false, "wait for Enter between the steps, and ask what will happen")
	f.BoolVar(&p.interactive, "interactive", false, "stay after the steps, to be driven with kubectl; Ctrl-C ends it")
	list := f.Bool("list", false, "list the steps, questions and failures, and play nothing")
	asJSON := f.Bool("json", false, "with -list: for a program")
	if len(p.demo.Faults) > 0 || p.demo.FaultFor != nil {
		f.StringVar(&p.faultName, "fault", "", "play a failure instead: "+p.demo.faultNames())
	}
	if p.demo.Flags != nil {
		p.demo.Flags(f)
	}
	err := f.Parse(args)
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if err == nil && p.faultName != "" {
		p.fault, err = p.demo.fault(p.faultName)
	}
	if err == nil && *asJSON && !*list {
		err = errors.New("-json goes with -list")
	}
	switch {
	case err == nil && *list:
		p.list(p.demo.contents(f), *asJSON)
		return exitOK, false
	case err == nil:
		return exitOK, true
	}
	p.usage(f)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK, false
	}
	p.Problem(err) // below the usage, which is longer than some terminals
	return exitUsage, false
}

// usage shows the flags, each with its meaning beside it.
func (p *player) usage(f *flag.FlagSet) {
	p.line("usage: go run ./chapters/" + p.demo.Chapter + " [flags]")
	f.VisitAll(func(f *flag.Flag) {
		name := fmt.Sprintf("  -%-12s ", f.Name)
		p.row(name, f.Usage)
	})
	p.line("CLUSTER=local|kind|kubeconfig|book chooses where it runs (local: that of make up, or one of its own).")
}

// fault finds what -fault was given.
func (d Demo) fault(name string) (Fault, error) {
	i := slices.IndexFunc(d.Faults, func(f Fault) bool { return f.Name == name })
	if i >= 0 {
		return d.Faults[i], nil
	}
	unknown := fmt.Errorf("there is no fault %q; there are %s", name, d.faultNames())
	if d.FaultFor == nil {
		return Fault{}, unknown
	}
	f, err := d.FaultFor(name)
	switch {
	case err != nil && strings.ContainsAny(name, " 0123456789"): // no name, so it is meant to be a script
		return Fault{}, err
	case err != nil:
		return Fault{}, fmt.Errorf("%w: %w", unknown, err)
	}
	f.Name = name
	return f, nil
}

// faultNames lists the faults as they stand in the demo.
func (d Demo) faultNames() string {
	names := make([]string, 0, len(d.Faults)+1)
	for _, f := range d.Faults {
		names = append(names, f.Name)
	}
	if d.FaultFor != nil {
		names = append(names, "or a script")
	}
	if d.FaultText != "" {
		names[len(names)-1] += fmt.Sprintf(" such as %q", d.FaultText)
	}
	return strings.Join(names, ", ")
}
