package supervisor

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// parentOf returns the process id of a process's parent, 0 when there is no such process.
func parentOf(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "PPid:"); ok {
			parent, _ := strconv.Atoi(strings.TrimSpace(value))
			return parent
		}
	}
	return 0
}

// diesWithParent asks the kernel to kill the server when its leash is killed: together with the leash itself this
// covers the case that supervisor and leash are killed in the same moment. Only Linux offers it.
func diesWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
