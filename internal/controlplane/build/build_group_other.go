//go:build !unix

package build

import (
	"os/exec"
	"time"
)

func ownGroup(*exec.Cmd) {}

func stopGroup(cmd *exec.Cmd, _ time.Duration, _ <-chan struct{}) { cmd.Process.Kill() }
