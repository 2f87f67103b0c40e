package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo asks what will happen, and shows what the lesson says it shows.
//
// covers: S0-08
func TestDemo(t *testing.T) {
	out := demotest.Questions(t, demo())
	require.Equal(t, os.Geteuid() == 0, strings.Contains(out, "This program runs as root"), "it says so, if it does")
	demotest.Has(t, out,
		"~ clock: Pending ~ clock: Running, pid ", "the command: sleep 600", // 1
		"The Process is deleted: ~ ps has no pid ",
		"~ victim: Restarting, exit code 137 ~ victim: Running, pid ", ", exit code 137, restarts 1", // 2
		"# the controller pid parent the command goes on ", "its shim goes on ", // 3
		"~ the API server still says orphan: Running, pid ", "Another controller begins: ~ orphan: Failed, exit code 3",
		"true Succeeded 0 False sh -c 'exit 7' Failed 7 False", // 4
		"no-such-program Failed True executable file not found",
		"a text file Failed True permission denied a folder Failed True permission denied",
		"a script without #! Failed True exec format error",
		"~ edited: Terminating, pid ", ", exit code 143 ~ stubborn: Pending", // 5
		"~ stubborn: Terminating, pid ", "~ its pid is nobody's, after ", ", and is deleted: ~ ps has no pid ",
		"~ patient: Pending The condition Ready says: it could not be started, and is tried again: ", // 6
		"file too large: make room on the disk of ", "~ patient: Running, pid ",
		"~ 10 of 50 have Succeeded ~ 20 of 50", "~ 50 of 50 have Succeeded world events runs", // 7
		"world events runs statuses written 1000 ")
}

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"pid-alone": {": it is gone ~ pid ", " still runs", ": signal: terminated"},
		"no-shim": {"the command goes on ", "< wait", "no child processes",
			"is gone, and nobody has been told with which exit code"},
		"pipe": {"a buffer 2.", "a buffer, and WaitDelay is 200 ms 0.",
			"exec: WaitDelay expired before I/O complete"},
		"wait4":          {"until Wait said: wait", "no child processes"},
		"blocked-sender": {"~ a second later the sender still waits, although", "and what waits for a controller is 1 key"},
	} {
		t.Run(fault, func(t *testing.T) {
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "",
		demotest.Typed{Command: "get processes -w", Stays: true},
		demotest.Typed{Command: "ps -o pid,ppid,stat,args", Shows: []string{"sleep 600"}},
		demotest.Typed{Command: "kill ",
			Shows: []string{"~ yours: Restarting, exit code 143", ", exit code 143, restarts 1"}},
		demotest.Typed{Command: "patch process yours",
			Shows: []string{"~ yours: Terminating, pid ", "~ yours: Running, pid "}},
		demotest.Typed{Command: "delete process yours", Shows: []string{"~ yours is gone"}})
}
