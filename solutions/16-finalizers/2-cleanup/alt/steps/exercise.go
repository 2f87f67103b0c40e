// Package cleanup has a list of steps, each of which is done, waits or has failed. It asks a process to stop without
// a look.
package cleanup

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Process is the object that is being deleted. Before stage 4 its UID is all that matters.
type Process struct {
	UID     types.UID
	Deleted time.Time     // its deletionTimestamp
	Grace   time.Duration // how long it may take to end
}

// State is what a UID's process is in.
type State string

// The states.
const (
	Running State = "Running"
	Ended   State = "Ended"
	Nothing State = "Nothing" // there is no folder, so nothing was started, or all is forgotten
)

// ErrEnded says that no process runs that could be stopped.
var ErrEnded = errors.New("no such process")

// World is the machine, and an archive beside it. Any call may fail.
type World interface {
	Look(uid types.UID) (State, error)
	Stop(uid types.UID) error             // asks the process to end, which takes a while, or returns ErrEnded
	Kill(uid types.UID) error             // for stage 4: the process can't refuse; otherwise as Stop
	Log(uid types.UID) (string, error)    // what the folder has of the log, which grows while the process runs
	Kept(uid types.UID) (bool, error)     // whether the archive has a log
	Keep(uid types.UID, log string) error // puts a log into the archive, in the place of the one that is there
	Forget(uid types.UID) error           // removes the folder. If it fails, some of it may be gone
}

// Cleanup is the clean-up of any number of Processes.
type Cleanup struct {
	World World
}

// New returns a Cleanup. Each start of a controller makes one.
func New(w World) *Cleanup {
	return &Cleanup{World: w}
}

// errNotYet is what a step returns that is not done and has not failed.
var errNotYet = errors.New("not yet")

// Run goes through the steps up to the first that is not done.
func (c *Cleanup) Run(p Process) (bool, error) {
	for _, step := range []struct {
		name string
		do   func(Process) error
	}{{"stop", c.stop}, {"keep the log", c.keepLog}, {"forget", c.forget}} {
		switch err := step.do(p); {
		case errors.Is(err, errNotYet):
			return false, nil
		case err != nil:
			return false, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return true, nil
}

// stop is done when there is nothing to stop. Past the Grace it asks and kills.
func (c *Cleanup) stop(p Process) error {
	err := c.World.Stop(p.UID)
	if err == nil && !time.Now().Before(p.Deleted.Add(p.Grace)) {
		err = c.World.Kill(p.UID)
	}
	switch {
	case errors.Is(err, ErrEnded):
		return nil
	case err != nil:
		return err
	}
	return errNotYet
}

// keepLog is done when the archive has a log, or there is no folder for one.
func (c *Cleanup) keepLog(p Process) error {
	if kept, err := c.World.Kept(p.UID); err != nil || kept {
		return err
	}
	if state, err := c.World.Look(p.UID); err != nil || state == Nothing {
		return err
	}
	log, err := c.World.Log(p.UID)
	if err != nil {
		return err
	}
	return c.World.Keep(p.UID, log)
}

func (c *Cleanup) forget(p Process) error { return c.World.Forget(p.UID) }
