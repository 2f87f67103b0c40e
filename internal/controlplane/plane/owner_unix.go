//go:build unix

package plane

import (
	"io/fs"
	"os"
	"syscall"
)

const (
	noFollow = syscall.O_NOFOLLOW
	noWait   = syscall.O_NONBLOCK
	errLink  = syscall.ELOOP // of an open with noFollow
)

// OwnedByUs says that a file belongs to the user who runs this program.
func OwnedByUs(info fs.FileInfo) bool { return Owner(info) == os.Getuid() }

// Owner returns the user id that a file belongs to, -1 when the system does not tell.
func Owner(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}

// group returns the id of a file's group, -1 when the system does not tell.
func group(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Gid)
	}
	return -1
}

// Detached makes a child the leader of its own session, so that Ctrl-C in the terminal reaches us and not it.
func Detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// Kill ends a process at once.
func Kill(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }
