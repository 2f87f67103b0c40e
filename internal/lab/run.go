package lab

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
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

// Run plays the demo and returns its exit code: 0 when all went well, 1 for a failure, 2 for a wrong flag, 130 after
// Ctrl-C. Tests call it in place of [Main].
func Run(ctx context.Context, d Demo, args []string, in io.Reader, out io.Writer) int {
	return runIn(ctx, reality, d, args, in, out)
}

// runIn is Run in a world that may be a test's.
func runIn(ctx context.Context, w world, d Demo, args []string, in io.Reader, out io.Writer) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n := NewNarrator(out, cancel)
	p := player{demo: d, Narrator: n, in: bufio.NewReader(in), drop: func() bool { return term.DropInput(in) },
		world: w}
	if code, ok := p.parse(args); !ok {
		return code
	}
	defer onSignal(cancel)()
	defer watchParent(cancel)()
	err := p.play(ctx, cancel)
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errInterrupted) && !p.stayed:
		if stuck := new(stuckError); errors.As(err, stuck) {
			n.Problem(stuck)
		}
		n.line(n.paint(bold, "Interrupted; "+p.kept()))
		return exitInterrupted
	case err != nil:
		n.Problem(err)
		return exitFailed
	}
	return exitOK
}

// kept is what there is to say of a run that was interrupted.
func (p *player) kept() string {
	if p.building {
		return "what is compiled is kept, and the next run goes on from there."
	}
	return "the run has cleaned up after itself."
}
