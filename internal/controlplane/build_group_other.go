//go:build !unix

package controlplane

import "os/exec"

func ownGroup(*exec.Cmd) {}

func stopGroup(cmd *exec.Cmd, _ <-chan struct{}) { cmd.Process.Kill() }
