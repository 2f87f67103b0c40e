package scenario

import (
	"os/exec"
	"strconv"
	"strings"
)

// Process is a row of ps.
type Row struct {
	PID, Parent int
	Command     string
}

// PS is what ps says of a process, and whether there is one.
func PS(pid int) (r Row, ok bool) {
	out, err := exec.Command("ps", "-o", "pid=,ppid=,args=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return r, false
	}
	words := strings.Fields(string(out))
	if len(words) < 3 {
		return r, false
	}
	r.PID, _ = strconv.Atoi(words[0])
	r.Parent, _ = strconv.Atoi(words[1])
	r.Command = strings.Join(words[2:], " ")
	return r, true
}
