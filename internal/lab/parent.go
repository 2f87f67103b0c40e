package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// errParentGone is why a run ends when the `go run` that started it is gone.
var errParentGone = errors.New("the go command that started this run is gone")

// parentEvery is how often a run looks whether its parent is there. Nothing portable tells a process of its parent's
// end.
const parentEvery = 500 * time.Millisecond

// watchParent ends the run when the go command that started it ends first: a `go run` that is killed does not end its
// program, which would hold its servers for ever. A run that nobody started with `go run`, or that is to outlive its
// terminal (nohup), goes on.
func watchParent(cancel context.CancelCauseFunc) (stop func()) {
	parent := os.Getppid()
	if signal.Ignored(syscall.SIGHUP) || programOf(parent) != "go" {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(parentEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if os.Getppid() != parent { // whoever adopted us
					cancel(errParentGone)
					return
				}
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// programOf returns the name of a process's program, empty if it cannot be told.
func programOf(pid int) string {
	if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err == nil {
		return strings.TrimSpace(string(name))
	}
	name, err := exec.Command("ps", "-o", "comm=", "-p", fmt.Sprint(pid)).Output()
	if err != nil {
		return ""
	}
	return filepath.Base(strings.TrimSpace(string(name)))
}
