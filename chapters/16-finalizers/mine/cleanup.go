package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlfinalizer "sigs.k8s.io/controller-runtime/pkg/finalizer"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	cleanup "github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/exercises/2-cleanup"
)

// cleaner is the clean-up of Processes, which is the reader's. Its world is a real machine, in which some things fail
// once. What a later stage does, the book does until then.
type cleaner struct {
	*place
	known cleanupStages
	yours *cleanup.Cleanup

	lock  sync.Mutex // guards what follows
	calls map[types.UID][]string
	full  bool                    // the archive has no room yet
	half  map[types.UID]bool      // Forget has failed halfway
	raced bool                    // a process has ended between Look and Stop
	ends  map[types.UID]time.Time // when the Grace of each is over
}

// cleanupStages are those of 16.2 beyond the first.
type cleanupStages struct{ fails, forgives, kills bool }

// again is when a run comes that waits for the end of a process, if nothing tells before.
const again = 100 * time.Millisecond

// newCleaner looks at what is written.
func newCleaner() *cleaner {
	c := &cleaner{calls: map[types.UID][]string{}, full: true, half: map[types.UID]bool{},
		ends: map[types.UID]time.Time{}}
	c.known = cleanupStages{fails: probeFailure(), forgives: probeEnded(), kills: probeKill()}
	c.yours = cleanup.New(c)
	return c
}

// missing says what the book does.
func (c *cleaner) missing() string {
	if !c.known.kills {
		return "Stage 4 of 16.2 is still to be written. Until then the book kills what does not end."
	}
	return ""
}

// Finalize implements controller-runtime's finalizer.Finalizer: it is one run of the reader's Cleanup.
func (c *cleaner) Finalize(_ context.Context, o client.Object) (ctrlfinalizer.Result, error) {
	p := cleanup.Process{UID: o.GetUID(), Deleted: o.GetDeletionTimestamp().Time}
	if process, ok := o.(*v1alpha1.Process); ok {
		p.Grace = time.Duration(*process.Spec.GracePeriodSeconds) * time.Second
	}
	c.lock.Lock()
	c.ends[p.UID] = p.Deleted.Add(p.Grace)
	c.lock.Unlock()
	if !c.known.kills && time.Since(p.Deleted) >= p.Grace {
		_ = c.signal(p.UID, unix.SIGKILL) // which says that nothing runs, in most runs
	}
	done, err := c.yours.Run(p)
	switch {
	case err != nil:
		c.note(p.UID, "Run fails")
		return ctrlfinalizer.Result{}, err
	case !done:
		return ctrlfinalizer.Result{}, &deletion.Waiting{For: "your Cleanup", After: again}
	}
	return ctrlfinalizer.Result{}, nil
}

func (c *cleaner) note(uid types.UID, call string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if all := c.calls[uid]; len(all) == 0 || all[len(all)-1] != call {
		c.calls[uid] = append(all, call)
	}
}

// made are the calls for a UID, each once where it came several times in a row.
func (c *cleaner) made(uid types.UID) []string {
	c.lock.Lock()
	defer c.lock.Unlock()
	return slices.Clone(c.calls[uid])
}

// first says whether something happens for the first time.
func (c *cleaner) first(happened *bool, is bool) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	before := *happened
	*happened = is
	return before != is
}

// Look implements cleanup.World.
func (c *cleaner) Look(uid types.UID) (cleanup.State, error) {
	seen, err := c.machine.Look(uid)
	switch {
	case err != nil:
		return "", err
	case seen.State == machine.Running || seen.State == machine.Starting:
		return cleanup.Running, nil
	case seen.Spec.Attempt == 0:
		return cleanup.Nothing, nil
	}
	return cleanup.Ended, nil
}

// Stop implements cleanup.World. The first process that is stopped has ended by itself just before.
func (c *cleaner) Stop(uid types.UID) error {
	c.note(uid, "Stop")
	err := c.signal(uid, unix.SIGTERM)
	if err == nil && c.first(&c.raced, true) {
		seen, err := c.machine.Look(uid)
		if err == nil {
			ctx, cancel := context.WithTimeout(context.Background(), c.patience)
			defer cancel()
			_, err = c.machine.Wait(ctx, seen.Spec.Run)
		}
		return errors.Join(err, cleanup.ErrEnded)
	}
	return err
}

// Kill implements cleanup.World.
func (c *cleaner) Kill(uid types.UID) error {
	c.lock.Lock()
	early := time.Now().Before(c.ends[uid])
	c.lock.Unlock()
	if early {
		c.note(uid, "Kill too early")
	} else {
		c.note(uid, "Kill")
	}
	return c.signal(uid, unix.SIGKILL)
}

func (c *cleaner) signal(uid types.UID, s unix.Signal) error {
	seen, err := c.machine.Look(uid)
	if err != nil {
		return err
	}
	err = c.machine.Signal(seen.Spec.Run, s)
	if errors.Is(err, machine.ErrGone) {
		return fmt.Errorf("%w: %v", cleanup.ErrEnded, err)
	}
	return err
}

// Log implements cleanup.World. Of a folder that is gone halfway it has nothing.
func (c *cleaner) Log(uid types.UID) (string, error) {
	c.lock.Lock()
	half := c.half[uid]
	c.lock.Unlock()
	if half {
		return "", nil
	}
	return c.machine.Log(uid)
}

func (c *cleaner) file(uid types.UID) string { return filepath.Join(c.dir, "kept-"+string(uid)) }

// Kept implements cleanup.World.
func (c *cleaner) Kept(uid types.UID) (bool, error) {
	_, err := os.Lstat(c.file(uid))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Keep implements cleanup.World. The archive has no room for the first log.
func (c *cleaner) Keep(uid types.UID, log string) error {
	if c.first(&c.full, false) {
		c.note(uid, "Keep fails")
		return errors.New("no space left on device")
	}
	c.note(uid, "Keep")
	return os.WriteFile(c.file(uid), []byte(log), 0o600)
}

// Forget implements cleanup.World. It fails once for each Process, halfway.
func (c *cleaner) Forget(uid types.UID) error {
	c.lock.Lock()
	half := c.half[uid]
	c.half[uid] = true
	c.lock.Unlock()
	if !half {
		c.note(uid, "Forget fails")
		return errors.New("directory not empty")
	}
	c.note(uid, "Forget")
	return c.machine.Forget(uid)
}

// kept is what the archive has.
func (c *cleaner) kept(uid types.UID) (log string, found bool) {
	text, err := os.ReadFile(c.file(uid))
	return string(text), err == nil
}

// trial is a world in which one process is in one state, and calls fail.
type trial struct {
	state             cleanup.State
	ended, noRoom     bool
	killed, forgotten bool
	process           cleanup.Process
}

func (t *trial) run() error {
	t.process.UID = "probe"
	_, err := cleanup.New(t).Run(t.process)
	return err
}

func probeFailure() bool {
	t := &trial{state: cleanup.Ended, noRoom: true}
	return t.run() != nil && !t.forgotten
}

func probeEnded() bool {
	t := &trial{state: cleanup.Running, ended: true,
		process: cleanup.Process{Deleted: time.Now(), Grace: time.Hour}}
	return t.run() == nil
}

func probeKill() bool {
	t := &trial{state: cleanup.Running,
		process: cleanup.Process{Deleted: time.Now().Add(-time.Hour), Grace: time.Second}}
	_ = t.run()
	return t.killed
}

func (t *trial) Look(types.UID) (cleanup.State, error) { return t.state, nil }
func (t *trial) Log(types.UID) (string, error)         { return "probe", nil }
func (t *trial) Kept(types.UID) (bool, error)          { return false, nil }
func (t *trial) Forget(types.UID) error                { t.forgotten = true; return nil }

func (t *trial) Kill(types.UID) error {
	t.killed = true
	return nil
}

func (t *trial) Stop(types.UID) error {
	if t.ended {
		return cleanup.ErrEnded
	}
	return nil
}

func (t *trial) Keep(types.UID, string) error {
	if t.noRoom {
		return errors.New("no space left on device")
	}
	return nil
}
