//go:build unix

package controlplane

import (
	"os/exec"
	"syscall"
	"time"
)

// ownGroup keeps a Ctrl-C in the terminal from reaching the command directly: its context decides.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return nil } // stopGroup does it
}

// stopGroup interrupts the command's process group, and kills it when it has not ended within the grace period.
func stopGroup(cmd *exec.Cmd, ended <-chan struct{}) {
	group := -cmd.Process.Pid
	syscall.Kill(group, syscall.SIGINT)
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case <-ended:
	case <-patience.C:
	}
	syscall.Kill(group, syscall.SIGKILL) // also what go left behind, if anything
}
