package machine

import (
	"errors"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// command is how a command is started: in a group of its own, to die with the shim.
func command() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// adopt has orphans below this process become its children. Else they become those of process 1, which in many
// containers fetches no exit codes, and they are zombies for ever. It also lets the shim wait until they are gone.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// waitUntilEnded blocks until the command has ended, and leaves its exit code where it is. Of adopted children it
// fetches it, and throws it away.
func waitUntilEnded(pid int) {
	for {
		var info childInfo
		err := unix.Waitid(unix.P_ALL, 0, (*unix.Siginfo)(unsafe.Pointer(&info)), unix.WEXITED|unix.WNOWAIT, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil || int(info.pid) == pid:
			return
		default:
			reap(int(info.pid), nil)
		}
	}
}

// childInfo is the kernel's siginfo_t of a child, of which x/sys names no fields.
type childInfo struct {
	_   [3]int32   // si_signo, si_errno, si_code
	_   [0]uintptr // what follows begins where a pointer may
	pid int32
	_   [112]byte
}
