//go:build unix

package controlplane

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

// ownedByUs says that a file belongs to the user who runs this program.
func ownedByUs(info fs.FileInfo) bool { return owner(info) == os.Getuid() }

// owner returns the user id that a file belongs to, -1 when the system does not tell.
func owner(info fs.FileInfo) int {
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

// detached makes a child the leader of its own session, so that Ctrl-C in the terminal reaches us and not it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// kill ends a process at once.
func kill(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }
