// Command faults puts the fault proxy in front of the cluster in use, for a controller of the reader's own.
//
//	go run ./scripts/faults -script 'configmaps 1.3 cut; 2 gone'
//	go run ./scripts/faults -seed 7
//
// It writes a kubeconfig that leads through the proxy, shows each request and each fault as they come, and at Ctrl-C
// what the controller made of them. docs/faults.md says more.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults/faultserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

const usage = `usage: go run ./scripts/faults -script 'FAULTS' | -seed N [flags]
       make faults SCRIPT="FAULTS" | SEED=N [RESOURCE=NAME] [PORT=N] [FILE=PATH] [FOR=1m] [VERBOSE=1]

FAULTS are separated by semicolons:  [RESOURCE] REQUEST[.EVENT] FAULT [ARGUMENT]

  configmaps 1.3 cut    the first list or watch of configmaps breaks inside its third event
  2 too-many 5s         the second list or watch of each resource is answered with 429
  pods 3 away 2         the third and the fourth of pods find nobody

RESOURCE is a name as in a path, pods or deployments.apps, or a short one that the cluster knows.
Requests are counted for each resource by itself, and only lists and watches are. Objects that a
watch begins with are events too, bookmarks are none, a list is one. It is that event, or the list:

`

const flagsText = `
  -script FAULTS    what goes wrong
  -seed N           draw it: each of the first 20 watches of a resource fails, and one list in three
  -resource NAME    where a fault names no resource, and for a seed: this one (default: each)
  -port N           listen on port N of 127.0.0.1 (default: a free one)
  -kubeconfig FILE  write the kubeconfig there (default: .lab/faults.kubeconfig)
  -for DURATION     end after this time (default: at Ctrl-C)
  -v                show all requests, whole queries, and how each list and watch ended

CLUSTER=local|kind|kubeconfig chooses the cluster, as it does for a chapter.
`

// options are the flags.
type options struct {
	script, resource, kubeconfig string
	seed                         string
	port                         int
	length                       time.Duration
	verbose                      bool
}

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(out, usage, faultserver.Catalogue(), flagsText)
		return 0
	}
	var script faultserver.Script
	if err == nil {
		script, err = o.chosen()
	}
	if err != nil {
		fmt.Fprint(errs, helpFor(err))
		for _, line := range lab.Wrap("faults: "+err.Error(), 100) {
			fmt.Fprintln(errs, line)
		}
		return 2
	}
	err = lab.Hold(ctx, lab.Options{Controllers: true, Progress: errs}, out,
		func(ctx context.Context, l *lab.Lab) error { return o.serve(ctx, l, script) })
	switch {
	case lab.Interrupted(err):
		fmt.Fprintln(errs, "Interrupted; nothing that was started is left running.")
		return 130
	case err != nil:
		lab.NewNarrator(errs, nil).Problem(err)
		return 1
	}
	return 0
}

// errNothing says that neither a script nor a seed was given.
var errNothing = errors.New("nothing is to go wrong: give a script or a seed")

// helpFor is what stands above an error: all there is to choose from, for who has chosen nothing.
func helpFor(err error) string {
	if errors.Is(err, errNothing) {
		return usage + faultserver.Catalogue() + flagsText + "\n"
	}
	return ""
}

// flags are the flags, to be read into o.
func (o *options) flags() *flag.FlagSet {
	f := flag.NewFlagSet("faults", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.script, "script", "", "")
	f.StringVar(&o.seed, "seed", "", "")
	f.StringVar(&o.resource, "resource", "", "")
	f.StringVar(&o.kubeconfig, "kubeconfig", "", "")
	f.IntVar(&o.port, "port", 0, "")
	f.DurationVar(&o.length, "for", 0, "")
	f.BoolVar(&o.verbose, "v", false, "")
	return f
}

func parse(args []string) (*options, error) {
	o := &options{}
	f := o.flags()
	if err := f.Parse(args); err != nil {
		return nil, explain(err)
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q: a script with spaces stands in quotes", f.Arg(0))
	case o.port < 0 || o.port > 65535:
		return nil, fmt.Errorf("-port %d is no port: want 1 to 65535, or 0 for a free one", o.port)
	case o.length < 0:
		return nil, fmt.Errorf("-for %s lies in the past", o.length)
	}
	return o, nil
}

// explain says what to write in place of a flag that package flag has refused.
func explain(err error) error {
	text := err.Error()
	switch {
	case errors.Is(err, flag.ErrHelp):
		return err
	case strings.Contains(text, "for flag -for"):
		return fmt.Errorf("%w: want a time such as 90s or 5m", err)
	case strings.Contains(text, "for flag -port"):
		return fmt.Errorf("%w: want a number from 1 to 65535", err)
	}
	return fmt.Errorf("%w (`go run ./scripts/faults -h` lists the flags)", err)
}

// chosen is the script that the flags ask for.
func (o *options) chosen() (faultserver.Script, error) {
	switch {
	case o.script != "" && o.seed != "":
		return faultserver.Script{}, errors.New("a script and a seed: give one of them")
	case o.script != "":
		s, err := faultserver.Parse(o.script, o.resource)
		if err != nil {
			return s, fmt.Errorf("%w (`go run ./scripts/faults -h` lists the faults)", err)
		}
		return s, nil
	case o.seed == "":
		return faultserver.Script{}, errNothing
	}
	seed, err := strconv.ParseUint(o.seed, 10, 64)
	if err != nil {
		return faultserver.Script{}, fmt.Errorf("the seed %q is not a number from 0", o.seed)
	}
	return faultserver.Seeded(seed, o.resource)
}

// serve puts the proxy in front of the cluster until the context ends, and reports.
func (o *options) serve(ctx context.Context, l *lab.Lab, script faultserver.Script) (err error) {
	path, unlock, err := o.path()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	transport := l.NewTransport()
	defer transport.CloseIdleConnections()
	upgrades := l.NewTransport()
	upgrades.ForceAttemptHTTP2, upgrades.Protocols = false, &http.Protocols{}
	upgrades.Protocols.SetHTTP1(true)
	defer upgrades.CloseIdleConnections()
	if script, err = known(ctx, l, script); err != nil {
		return err
	}
	server, err := faultserver.Listen(faultserver.Options{
		Target: l.Server, Transport: l.Client(transport).Transport, Upgrades: l.Client(upgrades).Transport,
		Script: script, Port: o.port, Narrator: l.Narrator, Verbose: o.verbose,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	if err := server.WriteKubeconfig(path, l.DefaultNamespace()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.RemoveKubeconfig(path)) }()
	introduce(l, server, path)
	if o.length > 0 {
		limited, cancel := context.WithTimeout(ctx, o.length)
		defer cancel()
		ctx = limited
	}
	<-ctx.Done()
	if err := server.Close(); err != nil {
		return err
	}
	server.Report()
	return nil
}

// known is the script with the names that the cluster has for its resources.
func known(ctx context.Context, l *lab.Lab, script faultserver.Script) (faultserver.Script, error) {
	there, err := faultserver.Discover(ctx, l.HTTPClient(), l.Server)
	if err != nil {
		l.Say("The script's names are not compared with the cluster's: %v.", err)
		return script, ctx.Err()
	}
	resolved, notes, err := script.Resolve(there)
	for _, note := range notes {
		l.Say("%s", note)
	}
	return resolved, err
}

// introduce says what the reader is to do.
func introduce(l *lab.Lab, server *faultserver.Server, path string) {
	l.Say("%s.", l.Describe())
	if l.Private {
		l.Say("It ends with this command; `make up` starts one that lasts.")
	}
	l.Say("The fault proxy in front of it is %s. Point your controller at it:", server.URL())
	l.Command("export KUBECONFIG=%s", path)
	l.Say("Whoever uses that file may do what your kubeconfig of the cluster allows. It is gone when this command ends.")
	l.Say("Past the proxy, to change objects while your controller runs:")
	past := l.Kubectl()
	if l.Provider == lab.Kubeconfig && !strings.ContainsRune(l.Cluster.Kubeconfig, filepath.ListSeparator) {
		past += " --kubeconfig " + l.Cluster.Kubeconfig // KUBECONFIG is the proxy's by now
	}
	l.Command("%s get all", past)
	l.Say("Ctrl-C ends it and reports.\n")
}

// path is where the kubeconfig goes. The usual place is for one proxy at a time.
func (o *options) path() (path string, unlock func() error, err error) {
	if o.kubeconfig != "" {
		path, err = filepath.Abs(o.kubeconfig)
		return path, func() error { return nil }, err
	}
	dir, err := local.StateDir()
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "faults.kubeconfig")
	lock := filepath.Join(dir, "faults.lock")
	held, err := filelock.Try(lock)
	if errors.Is(err, filelock.ErrHeld) {
		return "", nil, fmt.Errorf("another fault proxy runs (%s), and %s is its kubeconfig: end it, or name another "+
			"file with -kubeconfig", filelock.Read(lock), path)
	}
	if err != nil {
		return "", nil, err
	}
	_ = held.Note(fmt.Sprintf("process %d", os.Getpid())) // for whoever comes second
	return path, held.Unlock, nil
}
