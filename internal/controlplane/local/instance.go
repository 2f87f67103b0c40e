package local

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// Instance is a control plane that this program uses: its own, or somebody else's.
type Instance struct {
	plane.Plane
	// Private says that the control plane belongs to this program and ends with it.
	Private bool

	keeper *keeper // of a private one
	alone  bool    // it is one process, the book's own server, without a supervisor to ask
	mu     sync.Mutex
	failed chan struct{}
	cause  error
	finish func() error
}

// newInstance returns an Instance that notices when its control plane ends.
func newInstance(p *plane.Plane) *Instance {
	return &Instance{Plane: *p, failed: make(chan struct{})}
}

// Failed is closed when the control plane ends although nobody here closed it. Cause says of what.
func (i *Instance) Failed() <-chan struct{} { return i.failed }

// Cause says why the control plane ended, nil while it runs and after Close. A server that died by itself is a
// *[Failure].
func (i *Instance) Cause() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.cause
}

// Running asks the supervisor whether all servers run, as far as it knows. It does not return before everything is gone
// when one of them has ended, and then says no. The book's own server has no supervisor: it runs until its process
// ends.
func (i *Instance) Running(ctx context.Context) bool {
	if i.alone {
		select {
		case <-i.keeper.ended:
			return false
		default:
			return true
		}
	}
	_, err := plane.Ask(ctx, i.Dir, plane.Request{Op: plane.OpStatus})
	return err == nil
}

// Close stops a private control plane and returns when its processes and its files are gone. One that belongs to
// somebody else runs on.
func (i *Instance) Close() error {
	i.mu.Lock()
	finish := i.finish
	i.finish = nil
	i.mu.Unlock()
	if finish == nil {
		return nil
	}
	return finish()
}

// end records that the control plane ended by itself.
func (i *Instance) end(cause error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.finish != nil { // otherwise Close came first
		i.cause = cause
		close(i.failed)
	}
}

// own makes a supervisor that we started an Instance.
func own(k *keeper, p *plane.Plane) *Instance {
	i := newInstance(p)
	i.Private, i.keeper = true, k
	noticed := make(chan struct{})
	i.finish = func() error {
		err := k.stop()
		<-noticed
		return err
	}
	go func() {
		defer close(noticed)
		<-k.ended
		i.end(k.cause())
	}()
	return i
}

// join connects to a control plane that somebody else owns, and follows it. from is the folder whose plane.json names
// it.
func join(ctx context.Context, p *plane.Plane, from string) (*Instance, error) {
	ctx, cancel := context.WithTimeout(ctx, plane.AskTimeout)
	defer cancel()
	conn, err := plane.Dial(ctx, p.Dir)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	replies := plane.Answers(conn)
	joined, err := func() (*plane.Plane, error) {
		if err := json.NewEncoder(conn).Encode(plane.Request{Op: plane.OpFollow}); err != nil {
			return nil, plane.Lost(ctx, err)
		}
		first, err := plane.ReadReply(ctx, replies)
		if err != nil {
			return nil, err
		}
		return plane.Believe(first.Plane, p.Dir, from)
	}()
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	i := newInstance(joined)
	noticed := make(chan struct{})
	i.finish = func() error {
		conn.Close()
		<-noticed
		return nil
	}
	go func() {
		defer close(noticed)
		last, err := plane.ReadReply(context.Background(), replies)
		switch {
		case err != nil:
			i.end(err)
		case last.Plane != nil && last.Plane.Failure != nil:
			last.Plane.MakeReadable()
			i.end(last.Plane.Failure)
		default:
			i.end(errors.New("the control plane was stopped"))
		}
	}()
	return i, nil
}

// RestartServer kills the API server (kill -9) and starts it again on the same port with the same certificates; it
// returns when the new one is healthy. Everyone who uses the control plane notices, so do it to a private one only.
func (i *Instance) RestartServer(ctx context.Context) error { return i.ask(ctx, plane.OpRestart) }

// StopServer sends SIGTERM to the API server and returns when it has ended. With watches open that takes about a
// minute.
func (i *Instance) StopServer(ctx context.Context) error { return i.ask(ctx, plane.OpStopServer) }

// StartServer starts the API server again after StopServer and returns when it is healthy.
func (i *Instance) StartServer(ctx context.Context) error { return i.ask(ctx, plane.OpStartServer) }

func (i *Instance) ask(ctx context.Context, op plane.Op) error {
	if !i.Private {
		return errors.New("this control plane belongs to another program: only a private one can be restarted " +
			"(Options.Private)")
	}
	_, err := plane.Ask(ctx, i.Dir, plane.Request{Op: op})
	return err
}
