package machine

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// ErrGone is that a run no longer runs.
var ErrGone = errors.New("it is gone")

// Signal sends a signal to all processes of a run's group. It is ErrGone if the run no longer runs, or if the process
// of the run's number is another one: then nobody gets the signal.
//
// Between the check and the signal some microseconds pass. The system gives numbers out in turn, so all the others
// would have to be used up in them.
func (m *Machine) Signal(r Run, s syscall.Signal) error {
	seen, err := m.Look(r.UID)
	switch {
	case err != nil:
		return err
	case seen.Spec.Run == r && seen.State == Starting:
		return fmt.Errorf("attempt %d of %s is being started: it can't be signalled yet", r.Attempt, r.UID)
	case seen.Spec.Run != r || seen.State != Running:
		return fmt.Errorf("attempt %d of %s: %w", r.Attempt, r.UID, ErrGone)
	case !mayKill(seen.Identity.PID):
		return fmt.Errorf("attempt %d of %s: number %d is never signalled", r.Attempt, r.UID, seen.Identity.PID)
	}
	now, alive, err := identify(seen.Identity.PID)
	if err != nil {
		return err
	}
	if alive && now == seen.Identity {
		err = unix.Kill(-seen.Identity.PID, s)
	}
	if !alive || now != seen.Identity || errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("attempt %d of %s, process %d: %w", r.Attempt, r.UID, seen.Identity.PID, ErrGone)
	}
	return err
}

// sweep kills what a run has left whose shim was killed.
func sweep(began started) error {
	left, err := began.Identity.leftover(began.Session)
	if err != nil || !left {
		return err
	}
	err = unix.Kill(-began.Identity.PID, unix.SIGKILL)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}
