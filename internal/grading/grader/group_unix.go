//go:build unix

package grader

import (
	"errors"
	"os/exec"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the process and what it started. The process itself may have gone over to another group.
func killGroup(cmd *exec.Cmd) error {
	return errors.Join(cmd.Process.Kill(), syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
}
