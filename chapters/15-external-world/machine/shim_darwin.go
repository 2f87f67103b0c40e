package machine

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// command is how a command is started: in a group of its own. macOS has no Pdeathsig: a command outlives a shim that is
// killed, until somebody looks.
func command() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// adopt does nothing: orphans become the children of launchd, which fetches their exit codes.
func adopt() {}

// waitUntilEnded blocks until the command has ended, and leaves its exit code where it is. It is kqueue's: macOS's
// waitid also returns for a process that was stopped (golang/go#19314).
func waitUntilEnded(pid int) {
	queue, err := unix.Kqueue()
	if err != nil {
		return
	}
	defer unix.Close(queue)
	want := []unix.Kevent_t{{Ident: uint64(pid), Filter: unix.EVFILT_PROC, Flags: unix.EV_ADD | unix.EV_ONESHOT,
		Fflags: unix.NOTE_EXIT}}
	for {
		_, err := unix.Kevent(queue, want, make([]unix.Kevent_t, 1), nil)
		if !errors.Is(err, unix.EINTR) {
			return // ESRCH: it has ended already
		}
	}
}
