package scenario

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// Controller is a controller in a process of its own.
type Controller struct {
	PID int

	cmd   *exec.Cmd
	input io.WriteCloser
	ended chan struct{} // is closed when it has ended
	text  strings.Builder

	lock   sync.Mutex // guards events
	events []Event
}

// Begin starts a controller for a world's machine, and returns when its caches are filled.
func (w *World) Begin(ctx context.Context, l Life) (*Controller, error) {
	c, err := w.start(l)
	if err != nil {
		return nil, fmt.Errorf("start a controller: %w", err)
	}
	err = owning.Until(ctx, func() bool { return c.Count(Began) > 0 || c.over() })
	if err == nil && c.Count(Began) == 0 {
		err = fmt.Errorf("the controller has ended before it began: %s", strings.TrimSpace(c.text.String()))
	}
	return c, err
}

// start starts one and waits for nothing.
func (w *World) start(l Life) (*Controller, error) {
	l.Kubeconfig, l.Namespace = w.Lab.Kubeconfig, w.Lab.Namespace
	l.Machine, l.Dir, l.Commands = w.Name, w.dir, w.commands
	text, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &Controller{cmd: exec.Command(self), ended: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), lifeEnv+"="+string(text))
	c.cmd.ExtraFiles = []*os.File{w.leash}
	c.cmd.Stderr = &c.text
	if c.input, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	c.PID = c.cmd.Process.Pid
	w.controllers = append(w.controllers, c)
	go c.listen(out)
	return c, nil
}

// listen keeps what the controller tells, until it has ended.
func (c *Controller) listen(out io.Reader) {
	defer close(c.ended)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var e Event
		if json.Unmarshal(lines.Bytes(), &e) == nil {
			c.lock.Lock()
			c.events = append(c.events, e)
			c.lock.Unlock()
		}
	}
	_ = c.cmd.Wait() // whoever ends it knows how
}

// Events are what it has told.
func (c *Controller) Events() []Event {
	c.lock.Lock()
	defer c.lock.Unlock()
	return slices.Clone(c.events)
}

// Count is how many of a kind it has told.
func (c *Controller) Count(kind string) (n int) {
	for _, e := range c.Events() {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

func (c *Controller) over() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// Ended waits until the controller has ended, which it does by itself.
func (c *Controller) Ended(ctx context.Context) error {
	select {
	case <-c.ended:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Noise has the controller's world tell of a run so many times.
func (c *Controller) Noise(run machine.Run, times int, every time.Duration) error {
	return json.NewEncoder(c.input).Encode(noise{run, times, every})
}

// Kill is kill -9: the controller defers, flushes and closes nothing.
func (c *Controller) Kill() error {
	err := c.cmd.Process.Kill()
	<-c.ended
	return err
}

// Stop ends the controller as a deployment does, and leaves its processes running. It may be called again.
func (c *Controller) Stop() error {
	err := c.input.Close()
	<-c.ended
	if errors.Is(err, os.ErrClosed) {
		err = nil // by an earlier Stop, or by the end of the process
	}
	return err
}
