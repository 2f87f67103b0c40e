//go:build !linux

package grader

import (
	"os/exec"
	"strconv"
	"strings"
)

// cpuKnown says whether [usageOf] knows a group's processor time.
const cpuKnown = false

// usageOf asks ps, which macOS has. Where there is none, memory is not bounded.
func usageOf(group int) (u usage) {
	text, err := exec.Command("ps", "-A", "-o", "pid=,pgid=,stat=,rss=").Output()
	if err != nil {
		return u
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 4 || f[1] != strconv.Itoa(group) && f[0] != strconv.Itoa(group) {
			continue
		}
		if f[0] == strconv.Itoa(group) {
			u.stopped = strings.HasPrefix(f[2], "T")
		}
		kilobytes, _ := strconv.ParseInt(f[3], 10, 64)
		u.memory += kilobytes << 10
	}
	return u
}

// hasArgument: without a processor's time nobody asks.
func hasArgument(int, string) bool { return false }
