package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// pidAlone is -fault pid-alone: a number that is another process's by now.
func (t *tour) pidAlone(ctx context.Context, l *lab.Lab) error {
	innocent := exec.Command("cat")
	input, err := innocent.StdinPipe() // which ends with this program, and cat with it
	if err != nil {
		return err
	}
	defer func() { _ = input.Close() }()
	if err := innocent.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- innocent.Wait() }()
	defer func() { _ = innocent.Process.Kill() }()
	l.Say("Somebody runs `cat`, pid %d, and has nothing to do with this.", innocent.Process.Pid)
	err = t.under(ctx, l, scenario.Life{}, func(w *scenario.World, c *scenario.Controller) error {
		track, err := w.Track(ctx, w.Process("mistaken", "sleep", "500"), became(l))
		if err != nil {
			return err
		}
		if err := track.In(ctx, v1alpha1.PhaseRunning); err != nil {
			return err
		}
		s, err := seen(w, track)
		if err != nil {
			return err
		}
		if err := w.Mistake(s, innocent.Process.Pid); err != nil {
			return err
		}
		l.Became("the machine's note says pid %d now, with the start time of another process", innocent.Process.Pid)
		l.Say("SIGTERM, if the process has the start time of the note:")
		err = w.Machine.Signal(s.Spec.Run, syscall.SIGTERM)
		if !errors.Is(err, machine.ErrGone) {
			return fmt.Errorf("a process of somebody else was signalled: %w", err)
		}
		l.Wire("%v", err)
		return nil
	})
	if err != nil {
		return err
	}
	select {
	case <-ended:
		return errors.New("the innocent process has ended")
	default:
		l.Became("pid %d still runs", innocent.Process.Pid)
	}
	l.Say("SIGTERM by the pid alone:")
	if err := syscall.Kill(innocent.Process.Pid, syscall.SIGTERM); err != nil {
		return err
	}
	l.Became("pid %d: %v", innocent.Process.Pid, <-ended)
	l.Conclude("A pid says which process is meant only together with when that process began, and on which boot. Both are compared " +
		"before each signal. The pid in a status is for people: whoever may write a status would otherwise choose what " +
		"the controller kills.")
	return nil
}

// noShim is -fault no-shim: the parent of a process is killed.
func (t *tour) noShim(ctx context.Context, l *lab.Lab) error {
	p, err := scenario.StartPart(ctx, scenario.PartParent)
	if err != nil {
		return err
	}
	defer p.End()
	var pid int
	if err := p.Read(&pid); err != nil {
		return err
	}
	family(l, pid, "the command", "the controller")
	l.Command("kill -9 %d   # the controller", p.PID)
	p.End()
	family(l, pid, "the command goes on")
	l.Say("Another program waits for pid %d, as os.FindProcess and Wait do:", pid)
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	_, err = process.Wait()
	l.Wire("%v", err)
	if err := goes(ctx, pid); err != nil {
		return err
	}
	l.Became("pid %d is gone, and nobody has been told with which exit code", pid)
	l.Conclude("An exit code is told once, and to the parent. The parent is dead, so the system has given the process to pid 1, which " +
		"took the code and forgot it. A new controller can say that the process is gone, and not whether it did its work.")
	return nil
}

// pipe is -fault pipe: how long Wait takes.
func (t *tour) pipe(ctx context.Context, l *lab.Lab) error {
	log, err := os.CreateTemp("", "scratch-log-")
	if err != nil {
		return err
	}
	defer func() {
		_ = log.Close()
		_ = os.Remove(log.Name())
	}()
	rows := [][]string{{"the output is", "Wait takes", "Wait says"}}
	for _, of := range []struct {
		what  string
		setup func(*exec.Cmd)
	}{
		{"a buffer", func(c *exec.Cmd) { c.Stdout = &bytes.Buffer{} }},
		{"a buffer, and WaitDelay is 200 ms", func(c *exec.Cmd) {
			c.Stdout, c.WaitDelay = &bytes.Buffer{}, 200*time.Millisecond
		}},
		{"a file", func(c *exec.Cmd) { c.Stdout = log }},
	} {
		c := exec.CommandContext(ctx, "sh", "-c", "sleep 2 & exit 0")
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		of.setup(c)
		if err := c.Start(); err != nil {
			return err
		}
		began := time.Now()
		err := c.Wait()
		took := time.Since(began)
		if took < time.Second { // what it has left still runs, and has its group
			_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		}
		rows = append(rows, []string{of.what, fmt.Sprintf("%.1f s", took.Seconds()), fmt.Sprint(err)})
	}
	l.Table(rows...)
	l.Conclude("The process ends at once each time. For a buffer os/exec makes a pipe, and Wait reads it to its end, which comes when " +
		"nobody has it open any more. A controller that runs such a command waits for a process of which it does not " +
		"know. A file is nobody's to wait for.")
	return nil
}

// reapAll is -fault wait4: what a loop over wait4(-1) does.
func (t *tour) reapAll(ctx context.Context, l *lab.Lab) error {
	for _, of := range []struct{ part, what string }{
		{scenario.PartForgets, "Without the loop, `sh -c \"true & exit 0\"` is run 20 times, and leaves 20 orphans that have ended:"},
		{scenario.PartReaps, "With the loop, a command is started again and again:"},
	} {
		l.Say("%s", of.what)
		p, err := scenario.StartPart(ctx, of.part)
		if err != nil {
			return err
		}
		var says string
		err = p.Read(&says)
		p.End()
		if err != nil {
			return err
		}
		l.Became("%s", says)
	}
	l.Conclude("wait4(-1) takes the exit code of any child, also of those for which somebody else waits. Whoever comes second is told " +
		"that there is no such child. The shim is the parent of its command, and takes in what the command leaves, so it may " +
		"wait for all: none of its children is anybody else's.")
	return nil
}

// blockedSender is -fault blocked-sender: sends that nobody takes.
func (t *tour) blockedSender(ctx context.Context, l *lab.Lab) error {
	events := make(chan event.GenericEvent)
	ended := source.Channel(events, &handler.EnqueueRequestForObject{})
	l.Say("A process has ended, and whoever saw it sends that into the channel of a source.Channel. Its controller is a standby, " +
		"which is not started:")
	if _, err := waits(ctx, events); err != nil {
		return err
	}
	l.Became("a second later the sender still waits, and sees no other process end")
	l.Say("Two controllers are started on one source.Channel, and the one that was first is stopped:")
	if err := twoOnOne(ctx, ended); err != nil {
		return err
	}
	if _, err := waits(ctx, events); err != nil {
		return err
	}
	l.Became("a second later the sender still waits, although the second controller runs")
	channel := routing.NewChannel(&handler.EnqueueRequestForObject{})
	for range 1000 {
		channel.Notify(client.ObjectKey{Namespace: l.Namespace, Name: "one"})
	}
	l.Became("1,000 calls of chapter 13's Notify have returned, and what waits for a controller is %d key", channel.Waiting())
	l.Conclude("A send on a Go channel is done when somebody receives, and nobody has to. The one goroutine that hands out a " +
		"source.Channel's events ends with the first controller that was started. What has to be remembered is no event " +
		"but a key: a run looks at the machine itself.")
	return nil
}

// twoOnOne starts a source for two controllers, and ends the first.
func twoOnOne(ctx context.Context, from source.Source) error {
	first, end := context.WithCancel(ctx)
	defer end()
	for _, of := range []context.Context{first, ctx} {
		q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
		context.AfterFunc(of, q.ShutDown)
		if err := from.Start(of, q); err != nil {
			return err
		}
	}
	return nil
}

// waits sends until a send has waited for a second, and says how many were taken.
func waits(ctx context.Context, to chan<- event.GenericEvent) (taken int, err error) {
	for ; ; taken++ {
		select {
		case to <- event.GenericEvent{Object: &v1alpha1.Process{}}:
		case <-time.After(time.Second):
			return taken, nil
		case <-ctx.Done():
			return taken, context.Cause(ctx)
		}
	}
}
