package plane

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Process is a process of this machine.
type Process struct {
	PID     int
	Owner   int    // the user id it runs as
	Program string // the base name of its first argument
	Command string // its arguments, separated by spaces

	first string // its first argument
}

// executable returns the file that the process executes, as far as the system tells; "" when the process has ended or
// is another user's.
func (p Process) executable() string {
	if runtime.GOOS == "linux" {
		path, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", p.PID))
		return strings.TrimSuffix(path, " (deleted)")
	}
	path, _ := exec.Command("ps", "-o", "comm=", "-p", strconv.Itoa(p.PID)).Output()
	return strings.TrimSpace(string(path))
}

// ProcessesNaming returns the processes, other than this one, whose arguments contain text. Every process of a control
// plane has the run directory in its arguments.
func ProcessesNaming(text string) ([]Process, error) {
	all, err := processes()
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	var found []Process
	for _, p := range all {
		if p.PID != os.Getpid() && strings.Contains(p.Command, text) {
			found = append(found, p)
		}
	}
	return found, nil
}

func processes() ([]Process, error) {
	if runtime.GOOS != "linux" {
		return processesByPS()
	}
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil, err
	}
	var all []Process
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil || len(data) == 0 {
			continue // it has ended meanwhile, or is a zombie or the kernel's
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			continue
		}
		info, err := os.Stat(filepath.Dir(file))
		if err != nil {
			continue
		}
		args := strings.Split(strings.TrimRight(string(data), "\x00"), "\x00")
		all = append(all, Process{
			PID: pid, Owner: Owner(info), Program: filepath.Base(args[0]),
			Command: strings.Join(args, " "), first: args[0],
		})
	}
	return all, nil
}

// processesByPS works where there is no /proc: on macOS.
func processesByPS() ([]Process, error) {
	out, err := exec.Command("ps", "-axww", "-o", "pid=,uid=,command=").Output()
	if err != nil {
		return nil, err
	}
	var all []Process
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		id, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		user, command, _ := strings.Cut(strings.TrimSpace(rest), " ")
		pid, err := strconv.Atoi(id)
		uid, err2 := strconv.Atoi(user)
		if err == nil && err2 == nil {
			command = strings.TrimSpace(command)
			first, _, _ := strings.Cut(command, " ")
			all = append(all, Process{PID: pid, Owner: uid, Program: filepath.Base(first),
				Command: command, first: first})
		}
	}
	return all, nil
}
