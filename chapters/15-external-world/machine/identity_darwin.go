package machine

import (
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sys/unix"
)

const zombie = 5 // SZOMB of sys/proc.h

// boot is the machine's boot: a UUID that the kernel makes once.
var boot = sync.OnceValue(func() string {
	id, _ := unix.Sysctl("kern.bootsessionuuid")
	return id
})

// identify says who has a number now; nobody is no error, and PID 0. A zombie has its number still, and is not alive.
func identify(pid int) (who Identity, alive bool, err error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if errors.Is(err, unix.EIO) || errors.Is(err, unix.ESRCH) { // x/sys says EIO of an empty answer
		return Identity{}, false, nil
	} else if err != nil {
		return Identity{}, false, err
	}
	t := info.Proc.P_starttime
	who = Identity{PID: pid, Start: fmt.Sprintf("%d.%06d", t.Sec, t.Usec), Boot: boot()}
	return who, info.Proc.P_stat != zombie, nil
}

// inGroup finds a process of a group, or 0.
func inGroup(group int) (int, error) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.pgrp", group)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	return int(all[0].Proc.P_pid), nil
}
