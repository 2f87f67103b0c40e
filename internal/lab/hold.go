package lab

import (
	"context"
	"errors"
	"io"
)

// Hold connects as a demo does and has f use the cluster, for a program that stays until its reader ends it. The
// context of f ends with Ctrl-C, with the go command that started the program, when the output is closed, and when a
// local control plane ends before its time; Hold returns that, but no error for Ctrl-C.
func Hold(ctx context.Context, o Options, out io.Writer, f func(context.Context, *Lab) error) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer onSignal(cancel)()
	defer watchParent(cancel)()
	n := NewNarrator(out, cancel)
	cluster, err := Connect(ctx, o)
	if err != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	defer func() { err = errors.Join(err, cluster.Close()) }()
	defer cluster.endWith(cancel)()
	return errors.Join(f(ctx, &Lab{Cluster: cluster, Narrator: n}), unlessInterrupted(ctx))
}

// Interrupted says whether an error of [Hold] came of Ctrl-C, before there was a cluster.
func Interrupted(err error) bool { return errors.Is(err, errInterrupted) }

// unlessInterrupted is why a context ended, unless it was Ctrl-C.
func unlessInterrupted(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, errInterrupted) {
		return cause
	}
	return nil
}
