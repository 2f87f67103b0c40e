package machine

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// boot is the machine's boot: a UUID that the kernel makes once.
var boot = sync.OnceValue(func() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
})

// identify says who has a number now; nobody is no error, and PID 0. A zombie has its number still, and is not alive.
func identify(pid int) (who Identity, alive bool, err error) {
	fields, err := stat(pid)
	if err != nil || fields == nil {
		return Identity{}, false, err
	}
	return Identity{PID: pid, Start: fields[19], Boot: boot()}, fields[0] != "Z" && fields[0] != "X", nil
}

// stat reads what follows the name in /proc/PID/stat: state, parent, group, session and, as the twentieth, the start,
// in hundredths of a second since the boot. The name can have any text in it, so the last parenthesis is what ends it.
func stat(pid int) ([]string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 {
		return nil, fmt.Errorf("/proc/%d/stat is unlike what Linux writes: %s", pid, text)
	}
	return fields, nil
}

// inGroup finds a process of a group, or 0.
func inGroup(group int) (int, error) {
	all, err := filepath.Glob("/proc/[1-9]*")
	for _, path := range all {
		pid, _ := strconv.Atoi(filepath.Base(path))
		if fields, _ := stat(pid); fields != nil && fields[2] == strconv.Itoa(group) {
			return pid, nil
		}
	}
	return 0, err
}
