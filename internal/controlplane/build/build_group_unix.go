//go:build unix

package build

import (
	"os/exec"
	"syscall"
	"time"
)

// ownGroup keeps a Ctrl-C in the terminal from reaching the command directly: the context decides.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// stopGroup interrupts the command's process group. What has not ended within grace is killed.
func stopGroup(cmd *exec.Cmd, grace time.Duration, ended <-chan struct{}) {
	group := -cmd.Process.Pid
	syscall.Kill(group, syscall.SIGINT)
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case <-ended:
	case <-patience.C:
	}
	syscall.Kill(group, syscall.SIGKILL) // also what has closed its output and runs on
}
