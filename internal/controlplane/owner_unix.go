//go:build unix

package controlplane

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUs says that a file belongs to the user who runs this program.
func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// detached makes a child the leader of its own session, so that Ctrl-C in the terminal reaches us and not it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// kill ends a process at once.
func kill(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }
