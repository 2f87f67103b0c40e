package lab

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Exit codes of a demo, as a shell expects them.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// errInterrupted is why the context of a run ends when the reader pressed Ctrl-C.
var errInterrupted = errors.New("interrupted")

// Main plays the demo with the command's arguments and exits.
func Main(d Demo) {
	os.Exit(Run(context.Background(), d, os.Args[1:], os.Stdin, os.Stdout))
}

// Run plays the demo and returns its exit code: 0 when all went well, 1 for a failure, 2 for a wrong flag, 130 after Ctrl-C.
// Tests call it in place of [Main].
func Run(ctx context.Context, d Demo, args []string, in io.Reader, out io.Writer) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n := NewNarrator(out, cancel)
	p := player{demo: d, Narrator: n, in: bufio.NewReader(in)}
	if code, ok := p.parse(args); !ok {
		return code
	}
	defer onSignal(cancel)()
	err := p.play(ctx, cancel)
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errInterrupted) && !p.stayed:
		n.line(n.paint(bold, "Interrupted; the run has cleaned up after itself."))
		return exitInterrupted
	case err != nil:
		n.Problem(err)
		return exitFailed
	}
	return exitOK
}

// onSignal ends the run with the first Ctrl-C or SIGTERM, and gives the second its usual effect, for a reader in a hurry.
// A closed pipe (`... | head`) must not kill the process before it has deleted its namespace, so that signal is only a
// failed write ([Narrator] ends the run for it).
func onSignal(cancel context.CancelCauseFunc) (stop func()) {
	c := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	signal.Ignore(syscall.SIGPIPE)
	go func() {
		select {
		case <-c:
			signal.Stop(c)
			cancel(errInterrupted)
		case <-done:
		}
	}()
	return func() { signal.Stop(c); signal.Reset(syscall.SIGPIPE); close(done) }
}

// player is one run of a demo.
type player struct {
	*Narrator
	demo              Demo
	in                *bufio.Reader
	step, interactive bool
	stayed            bool // the interactive part has run: Ctrl-C is how that ends
}

// parse reads the arguments; ok is false when the run ends here, with that exit code.
func (p *player) parse(args []string) (code int, ok bool) {
	f := flag.NewFlagSet(p.demo.Chapter, flag.ContinueOnError)
	f.SetOutput(io.Discard) // the flag package prints errors its own way, with the usage after each
	f.BoolVar(&p.step, "step", false, "wait for Enter between the steps")
	f.BoolVar(&p.interactive, "interactive", false, "stay after the steps, to be driven with kubectl; Ctrl-C ends it")
	if p.demo.Flags != nil {
		p.demo.Flags(f)
	}
	err := f.Parse(args)
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if err == nil {
		return exitOK, true
	}
	code = exitUsage
	if errors.Is(err, flag.ErrHelp) {
		code = exitOK
	} else {
		p.line(err.Error())
	}
	p.line("usage: go run ./chapters/" + p.demo.Chapter + " [flags]")
	f.VisitAll(func(f *flag.Flag) { p.line(fmt.Sprintf("  -%-12s %s", f.Name, f.Usage)) })
	p.line("CLUSTER=local|kind|kubeconfig chooses where it runs (local: a control plane of its own).")
	return code, false
}

// play connects, plays the steps, and cleans up whatever happened.
func (p *player) play(ctx context.Context, cancel context.CancelCauseFunc) (err error) {
	p.line(p.paint(bold, p.demo.Chapter+": "+p.demo.Title))
	cluster, err := Connect(ctx, Options{Controllers: p.demo.Controllers, Progress: p.w})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Close()) }()
	defer cluster.endWith(cancel)()
	start := time.Now()
	own, err := cluster.InNamespace(ctx, "scratch-"+p.demo.Chapter[:2])
	if err != nil {
		return explain(err, cluster)
	}
	p.line(own.Describe())
	p.line("Namespace " + own.Namespace + ", deleted at the end.")
	err = p.steps(ctx, &Lab{Cluster: own, Narrator: p.Narrator})
	took := time.Since(start).Seconds()
	// A server that went away cannot delete anything, and the error that says so is there already.
	if undeleted := own.DeleteNamespace(context.WithoutCancel(ctx)); undeleted != nil && !errors.Is(err, ErrServerGone) {
		return errors.Join(err, undeleted)
	}
	if err == nil {
		p.line(p.paint(dim, fmt.Sprintf("\nDone in %.1f s; namespace %s is deleted.", took, own.Namespace)))
	}
	return err
}

// steps plays the steps, and then the interactive part when it is asked for.
func (p *player) steps(ctx context.Context, l *Lab) error {
	steps := p.demo.Steps
	if p.demo.Pick != nil {
		steps = p.demo.Pick()
	}
	for i, s := range steps {
		if i > 0 && p.step && !p.enter(ctx) {
			return context.Cause(ctx)
		}
		p.Heading(i+1, len(steps), s.Title)
		p.Say("%s", s.Why)
		if err := runStep(ctx, s, l); err != nil {
			return fmt.Errorf("step %d (%s): %w", i+1, s.Title, explain(err, l.Cluster))
		}
	}
	if !p.interactive {
		return nil
	}
	return p.stay(ctx, l)
}

// runStep bounds a step's time.
func runStep(ctx context.Context, s Step, l *Lab) error {
	ctx, cancel := context.WithTimeoutCause(ctx, StepLimit, errStepLimit)
	defer cancel()
	err := s.Run(ctx, l)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	return err
}

// enter waits for the Enter key, and says whether to go on. At the end of the input it stops asking.
func (p *player) enter(ctx context.Context) bool {
	p.partial(p.paint(dim, "\n   [Enter] "))
	read := make(chan error, 1)
	go func() {
		_, err := p.in.ReadString('\n')
		read <- err
	}()
	select {
	case err := <-read:
		if err != nil {
			p.step = false
			p.line("")
		}
		return true
	case <-ctx.Done():
		p.line("")
		return false
	}
}

// stay is -interactive: it ends well, with Ctrl-C.
func (p *player) stay(ctx context.Context, l *Lab) error {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	p.line(p.paint(bold, "\n── Your turn; Ctrl-C ends it"))
	var err error
	if p.demo.Interactive != nil {
		err = p.demo.Interactive(inner, l)
	} else {
		p.Command("%s get all", l.Kubectl())
		<-inner.Done()
	}
	if errors.Is(context.Cause(ctx), errInterrupted) {
		p.stayed = true
		return nil
	}
	return explain(err, l.Cluster)
}
