package machine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// ErrRuns is that another run of the same UID lives.
var ErrRuns = errors.New("it runs")

// StartError is why a command can't be started.
type StartError struct {
	Err   error
	Retry bool // the machine may be able to later: too many processes, no memory, a full disk, a file being written
}

func (e *StartError) Error() string { return e.Err.Error() }
func (e *StartError) Unwrap() error { return e.Err }

// Start starts a command, and returns when it runs. If ctx ends before, it may run all the same: Look tells.
//
// It is a *StartError if nothing runs. One that is not to be tried again is also what Look says from then on: Ended,
// with the error in Exit. After one that is, Look says Nothing. A run is started once: if this one runs, or has ended,
// that is no error, and nothing is started. It is ErrRuns while another run of the UID lives, and ErrGone if a later
// one has been there.
//
// Who starts at the same time, in this program or another one, agrees about it.
func (m *Machine) Start(ctx context.Context, s Spec) error {
	if s.Attempt < 1 {
		return &StartError{Err: fmt.Errorf("attempt %d: they count from 1", s.Attempt)}
	}
	f, err := m.at(s.UID)
	if err != nil {
		return &StartError{Err: err}
	}
	held, err := f.takeSoon(ctx, func() (bool, error) { return f.other(ctx, s.Run) })
	if held == nil && later(err) {
		return &StartError{Err: err, Retry: true}
	} else if held == nil {
		return err
	}
	defer held.close()
	seen, _, err := f.look()
	if err == nil && (seen.State == Starting || seen.State == Running) {
		// The lock was free, so whoever had it is ending. The system closes its files one after the other.
		if err = await(ctx, f.path(alive(seen.Spec.Attempt))); err == nil {
			seen, _, err = f.look()
		}
	}
	switch {
	case err != nil:
		return err
	case seen.Spec.Attempt > s.Attempt:
		return fmt.Errorf("attempt %d of %s: %w, it was followed by %d", s.Attempt, s.UID, ErrGone, seen.Spec.Attempt)
	case seen.Spec.Attempt == s.Attempt && seen.State != Nothing && (seen.Exit == nil || seen.Exit.Error == ""):
		return nil
	}
	if err := m.start(f, held, s); err != nil {
		return &StartError{Err: err, Retry: later(err)}
	}
	held.close()
	if err := await(ctx, f.path(starting(s.Attempt))); err != nil {
		return err
	}
	return f.result(ctx, s.Run)
}

// other says what a start is while somebody else holds the folder, if that is settled yet.
func (f folder) other(ctx context.Context, r Run) (settled bool, err error) {
	seen, _, err := f.look()
	switch {
	case err != nil:
		return true, err
	case seen.State != Starting && seen.State != Running:
		return false, nil
	case seen.Spec.Run != r:
		return true, fmt.Errorf("attempt %d of %s: %w", seen.Spec.Attempt, r.UID, ErrRuns)
	case seen.State == Running:
		return true, nil
	}
	if err := await(ctx, f.path(starting(r.Attempt))); err != nil {
		return true, err
	}
	seen, end, err := f.look()
	if err == nil && (seen.State == Starting || seen.State == Nothing && end.Attempt == 0) {
		return false, nil // a starter has ended, or is ending, before there was a shim
	}
	return true, f.result(ctx, r)
}

// start begins a run with a shim of its own.
func (m *Machine) start(f folder, held *hold, s Spec) error {
	if err := held.announce(f, s.Attempt); err != nil {
		return err
	}
	if err := m.room(); err != nil {
		return err
	}
	if err := f.begin(s); err != nil {
		return err
	}
	err := m.allowed(s.Command)
	if err == nil {
		err = m.fork(f, held)
	}
	if err != nil {
		return errors.Join(err, f.write("exit", ended{s.Attempt, Exit{Error: err.Error(), At: time.Now()}, later(err)}))
	}
	return nil
}

// begin writes the spec, and with it the run begins. What an earlier start of the same run has left goes before, in the
// order in which it stays true. What is of another attempt counts no more, and needs no deletion.
func (f folder) begin(s Spec) error {
	for _, name := range []string{"started", "exit"} {
		var attempt struct{ Attempt int }
		if attempt, _ = read[struct{ Attempt int }](f, name); attempt.Attempt == s.Attempt {
			if err := os.Remove(f.path(name)); err != nil {
				return err
			}
		}
	}
	if err := f.reserve("exit"); err != nil {
		return err
	}
	return f.write("spec", s)
}

// fork starts the shim, in a session of its own: no terminal's Ctrl-C reaches it. A goroutine fetches its exit code if
// it ends before this program does, or it would be a zombie.
func (m *Machine) fork(f folder, held *hold) error {
	told, err := json.Marshal(orders{LogLimit: m.o.LogLimit, Leash: m.o.Leash != nil})
	if err != nil {
		return err
	}
	shim := exec.Command(m.self)
	shim.Args = []string{shimName, string(f), string(told)}
	shim.Env = m.o.Env
	shim.ExtraFiles = []*os.File{held.lock, held.alive, held.starting}
	if m.o.Leash != nil {
		shim.ExtraFiles = append(shim.ExtraFiles, m.o.Leash)
	}
	shim.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := shim.Start(); err != nil {
		return fmt.Errorf("start a shim: %w", err)
	}
	go func() { _ = shim.Wait() }()
	return nil
}

// result says what became of a start. A shim that has ended while it started may still have some of its files open.
func (f folder) result(ctx context.Context, r Run) error {
	seen, end, err := f.look()
	if err == nil && seen.Spec.Run == r && seen.State == Starting {
		if err = await(ctx, f.path(alive(r.Attempt))); err == nil {
			seen, end, err = f.look()
		}
	}
	switch {
	case err != nil || seen.Spec.Run != r:
		return err
	case end.Exit.Error != "":
		return &StartError{Err: errors.New(end.Exit.Error), Retry: end.Retry}
	case seen.State == Nothing:
		return &StartError{Err: errors.New("the shim ended before it could start anything"), Retry: true}
	}
	return nil
}
