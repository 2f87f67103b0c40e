package lab

import (
	"context"
	"errors"
)

// enter waits for the Enter key, and says whether to go on. At the end of the input it stops asking. An Enter from
// before, while a step worked, is no answer to this question.
func (p *player) enter(ctx context.Context) bool {
	if p.drop() {
		_, _ = p.in.Discard(p.in.Buffered())
	}
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
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errInterrupted):
		p.stayed = true
		return nil
	case cause != nil:
		return cause
	}
	return explain(err, l.Cluster)
}
