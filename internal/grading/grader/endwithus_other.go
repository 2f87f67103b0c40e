//go:build !linux

package grader

import (
	"os/exec"
	"time"
)

// Elsewhere nothing ends with the grader.
func endWithUs(*exec.Cmd) {}

func limitCPU(int, time.Duration) {}
