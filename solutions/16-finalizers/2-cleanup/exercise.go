// Package cleanup is exercise 16.2: what is done before a deleted Process may go, in steps that may have been done.
//
// The process has to end, its log goes into an archive, and its folder is removed. The controller may die between any
// two of these, and the next one begins anew:
//
//	done, err := c.Run(p) // again and again, until it is done
//
// Write Run, stage by stage, from the standard library. docs/exercises.md says what holds for every exercise.
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

// Run does what can be done now, or the first part of it, and waits for nothing. It returns true when nothing is left
// to do.
//
// Stage 1: stop, keep the log, forget
//   - A process that runs is asked to stop. While it runs, nothing else is done.
//   - When it has ended, its whole log is kept, and then its folder is forgotten.
//   - Where there is no folder, all is done.
//
// Stage 2: a step that fails
//   - A call's failure is returned, with false, and no later step is begun. The next Run tries again.
//   - A log that was kept stays as it is, also if Forget has failed since.
//
// Stage 3: done, and nobody knows
//   - A call that has failed may have had its effect, and the next Run may be another Cleanup's: it goes on from what
//     is there.
//   - ErrEnded is no failure: the process has ended since Look.
//
// Stage 4 (hard): a process that does not end
//   - A process that runs when Grace has passed since Deleted is killed, and not before, whoever has asked it to stop,
//     and when.
func (c *Cleanup) Run(p Process) (done bool, err error) {
	//solution:begin
	//todo: look, and take the next steps
	//stub: return false, nil
	state, err := c.World.Look(p.UID)
	if err != nil || state == Nothing {
		return err == nil, err
	}
	if state == Running {
		return false, c.end(p)
	}
	kept, err := c.World.Kept(p.UID)
	if err != nil {
		return false, err
	}
	if !kept {
		if err := c.keep(p.UID); err != nil {
			return false, err
		}
	}
	if err := c.World.Forget(p.UID); err != nil {
		return false, err
	}
	return true, nil
	//solution:end
}

//solution:begin

// end asks a process to end, or makes it. The next Look says whether it has.
func (c *Cleanup) end(p Process) error {
	ask := c.World.Stop
	if time.Since(p.Deleted) >= p.Grace {
		ask = c.World.Kill
	}
	if err := ask(p.UID); !errors.Is(err, ErrEnded) {
		return err
	}
	return nil
}

// keep puts the log where it outlives the folder.
func (c *Cleanup) keep(uid types.UID) error {
	log, err := c.World.Log(uid)
	if err != nil {
		return err
	}
	return c.World.Keep(uid, log)
}

//solution:end
