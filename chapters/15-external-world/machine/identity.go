package machine

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Identity is one process for ever. The number alone is not: once a process is gone, the system gives its number to
// another one, which began at another time.
type Identity struct {
	PID   int
	Start string // when it began, in the system's own words: comparable, and nothing else
	Boot  string // which boot of the machine, as numbers and times repeat after it
}

// leftover says whether what a process has left in its group is still there. The process is this one, of a session that
// its shim has made.
//
// The system gives out no number that a group or a session has. So a process with the group's number and another start
// means that the group was empty in between, and is a stranger's by now. Where no process has the number, the group
// may still be that of a stranger who came, and went before its children; but then it is in another session.
func (i Identity) leftover(session int) (bool, error) {
	if !mayKill(i.PID) || boot() != i.Boot {
		return false, nil
	}
	now, _, err := identify(i.PID)
	if err != nil || now.PID != 0 && now != i {
		return false, err
	}
	member, err := inGroup(i.PID)
	if err != nil || member == 0 {
		return false, err
	}
	of, err := unix.Getsid(member)
	if errors.Is(err, unix.ESRCH) {
		err = nil // it has ended since
	}
	return of == session, err
}

// mayKill refuses numbers that mean more than one process to the system, or this one.
func mayKill(pid int) bool {
	return pid > 1 && pid != unix.Getpid() && pid != unix.Getpgrp()
}
