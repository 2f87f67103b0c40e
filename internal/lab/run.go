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
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n := NewNarrator(out, cancel)
	p := player{demo: d, Narrator: n, in: bufio.NewReader(in), drop: func() bool { return term.DropInput(in) }}
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
		n.line(n.paint(bold, "Interrupted; the run has cleaned up after itself."))
		return exitInterrupted
	case err != nil:
		n.Problem(err)
		return exitFailed
	}
	return exitOK
}
