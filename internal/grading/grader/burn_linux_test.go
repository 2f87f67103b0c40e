package grader

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// TestBoundIsOfOneProcess: compilers that take a while each are within the bound, in a row as beside each other; one
// that takes longer is not.
func TestBoundIsOfOneProcess(t *testing.T) {
	t.Parallel()
	if os.Getenv("BURN") != "" {
		burn(t, os.Getenv("BURN"))
		return
	}
	b := bound{wall: time.Minute, cpu: 1500 * time.Millisecond, memory: 1 << 40}
	for script, want := range map[string]over{
		"BURN=500ms $0 $1; BURN=500ms $0 $1; BURN=500ms $0 $1; BURN=500ms $0 $1": within,
		"BURN=20s $0 $1": overCPU,
	} {
		cmd := exec.Command("sh", "-c", script, os.Args[0], "-test.run=^TestBoundIsOfOneProcess$")
		if got, err := runGroup(context.Background(), cmd, b); got != want {
			t.Errorf("%s: %q (%v), want %q", script, got, err, want)
		}
	}
}

// burn takes that much processor time.
func burn(t *testing.T, text string) {
	for {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		if d, err := time.ParseDuration(text); err != nil || time.Duration(u.Utime.Nano()+u.Stime.Nano()) > d {
			return
		}
	}
}
