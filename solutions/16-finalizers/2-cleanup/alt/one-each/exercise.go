// Package cleanup takes one step each Run, which it finds by what is there.
package cleanup

import (
	"errors"
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

// Run finds the step, and takes it.
func (c *Cleanup) Run(p Process) (done bool, err error) {
	step, err := c.next(p)
	if step == nil || err != nil {
		return err == nil, err
	}
	if err := step(p.UID); !errors.Is(err, ErrEnded) {
		return false, err
	}
	return false, nil
}

// next returns nil when no step is left.
func (c *Cleanup) next(p Process) (func(types.UID) error, error) {
	state, err := c.World.Look(p.UID)
	if err != nil {
		return nil, err
	}
	kept, err := c.World.Kept(p.UID)
	if err != nil {
		return nil, err
	}
	switch {
	case state == Nothing:
		return nil, nil
	case state == Running && time.Now().After(p.Deleted.Add(p.Grace)):
		return c.World.Kill, nil
	case state == Running:
		return c.World.Stop, nil
	case kept:
		return c.World.Forget, nil
	}
	return func(uid types.UID) error {
		log, err := c.World.Log(uid)
		if err != nil {
			return err
		}
		return c.World.Keep(uid, log)
	}, nil
}
