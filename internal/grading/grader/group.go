package grader

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"time"
)

// A bound is what a group of processes may take.
type bound struct {
	wall   time.Duration
	cpu    time.Duration // of one of them; zero: any
	own    string        // an argument of the process on whose time overOwn is passed, instead of overCPU
	others time.Duration // with own, the cpu of one that is not that process
	memory int64         // resident, of all of them together
}

// over says which bound was passed, if one was.
type over string

const (
	within     over = ""
	overWall   over = "wall"
	overCPU    over = "cpu"
	overOwn    over = "own cpu"
	overMemory over = "memory"
	suspended  over = "suspended" // the first process stopped itself, as Ctrl-Z stops one
)

// usage is what a group of processes takes at a moment.
type usage struct {
	memory  int64
	cpu     time.Duration // of the one that took most
	busiest int           // that one
	stopped bool          // the first process
}

// sampling is how often a group is looked at: seldom enough to cost nothing, often enough that little is taken between.
const sampling = 100 * time.Millisecond

// beyondCPU is what the system itself lets a process take more than its bound. It is for when nobody looks: a grader
// that is killed can't end what its children started.
const beyondCPU = 10 * time.Second

// runGroup runs cmd in a process group of its own, looks at what the group takes, and kills it at the end, whatever is
// left in it. The error is that of [exec.Cmd.Wait], or the context's.
func runGroup(ctx context.Context, cmd *exec.Cmd, b bound) (over, error) {
	ownGroup(cmd)
	endWithUs(cmd)
	runtime.LockOSThread() // what ends with us ends with this thread
	defer runtime.UnlockOSThread()
	cmd.WaitDelay = 500 * time.Millisecond // a child that holds the pipe does not hold us
	if err := cmd.Start(); err != nil {
		return within, err
	}
	if b.cpu > 0 {
		limitCPU(cmd.Process.Pid, max(b.cpu, b.others)+beyondCPU)
	}
	done, verdict := make(chan struct{}), make(chan over, 1)
	go func() {
		defer close(verdict)
		if passed := watchGroup(ctx, cmd.Process.Pid, b, done); passed != within || ctx.Err() != nil {
			_ = killGroup(cmd)
			verdict <- passed
		}
	}()
	err := cmd.Wait()
	close(done)
	passed := <-verdict
	_ = killGroup(cmd)
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	if passed == within && ctx.Err() != nil {
		return within, ctx.Err()
	}
	return passed, err
}

// watchGroup returns when a bound is passed, when the context ends, or when done is closed.
func watchGroup(ctx context.Context, group int, b bound, done <-chan struct{}) over {
	end := time.NewTimer(b.wall)
	defer end.Stop()
	tick := time.NewTicker(sampling)
	defer tick.Stop()
	stops := 0
	for {
		select {
		case <-done:
			return within
		case <-ctx.Done():
			return within
		case <-end.C:
			return overWall
		case <-tick.C:
		}
		u := usageOf(group)
		if !u.stopped {
			stops = 0
		} else if stops++; stops > 2 {
			return suspended
		}
		switch {
		case b.cpu > 0 && u.cpu > b.cpu && b.own != "" && hasArgument(u.busiest, b.own):
			return overOwn
		case b.cpu > 0 && u.cpu > max(b.cpu, b.others):
			return overCPU
		case u.memory > b.memory:
			return overMemory
		}
	}
}
