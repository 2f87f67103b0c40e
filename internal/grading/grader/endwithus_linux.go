package grader

import (
	"math"
	"os/exec"
	"syscall"
	"time"
	"unsafe"
)

// endWithUs has the system kill the process when the thread that starts it ends, as the grader's threads do when
// somebody kills it. What the process has started lives on.
func endWithUs(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}

// limitCPU has the system kill the process when it has taken that much processor time, and likewise each one that it
// starts from now on. A limit that is lower already stays.
func limitCPU(pid int, d time.Duration) {
	seconds := uint64(math.Ceil(d.Seconds()))
	var limit syscall.Rlimit
	if prlimit(pid, nil, &limit) == 0 && limit.Max > seconds {
		_ = prlimit(pid, &syscall.Rlimit{Cur: seconds, Max: seconds}, nil)
	}
}

func prlimit(pid int, set, get *syscall.Rlimit) syscall.Errno {
	_, _, err := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_CPU,
		uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(get)), 0, 0)
	return err
}
