//go:build !linux

package supervisor

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// parentOf returns the process id of a process's parent, 0 when there is no such process.
func parentOf(pid int) int {
	said, _ := exec.Command("ps", "-o", "ppid=", "-p", strconv.Itoa(pid)).Output()
	parent, _ := strconv.Atoi(strings.TrimSpace(string(said)))
	return parent
}

func diesWithParent() *syscall.SysProcAttr { return nil }
