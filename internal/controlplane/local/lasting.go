package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// labDir is the folder that holds the state of the lasting control plane: the one that [StateEnv] names, or else .lab/
// of the repository, which git ignores.
func labDir() (string, error) {
	if dir := os.Getenv(plane.StateEnv); dir != "" {
		return filepath.Abs(dir)
	}
	root, err := repo.Root()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, ".lab"), nil
}

// StateDir makes the folder of what lasts between two commands, where it is absent, and returns it: nobody else can
// write into it.
func StateDir() (string, error) {
	lab, err := labDir()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(lab, 0o700); err != nil {
		return "", adviseState(lab, fmt.Errorf("make the state directory: %w", err))
	}
	return lab, closeLab(lab)
}

// checkLasting refuses a state directory, "" for none, whose kubeconfig nobody could name: KUBECONFIG is a list of
// paths, and the commands that are printed hold the path.
func checkLasting(lab string) error {
	const mend = "move the clone to a path without it, or set " + plane.StateEnv + " to a folder without it"
	switch {
	case strings.ContainsRune(lab, filepath.ListSeparator):
		return fmt.Errorf("the control plane's kubeconfig would lie in %s, and kubectl takes a path with a %q for a list: %s",
			plane.Printable(lab), filepath.ListSeparator, mend)
	case plane.Printable(lab) != lab:
		return fmt.Errorf("the control plane's kubeconfig would lie in %q, whose name has something that does not print: %s",
			lab, mend)
	}
	return nil
}

// adviseState says what to do about a state directory that can't be used as it is.
func adviseState(lab string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w: make %s a folder that you can write into, or set %s to one", err, plane.Printable(lab), plane.StateEnv)
}

func supervisorLog(lab string) string { return filepath.Join(lab, "supervisor.log") }

// lockLab makes one `make up` or `make down` wait for another.
func lockLab(ctx context.Context, show term.Display, doing string) (lab string, unlock func(), err error) {
	if lab, err = StateDir(); err != nil {
		return "", nil, err
	}
	var said bool
	held, err := filelock.Wait(ctx, filepath.Join(lab, "lock"), func(note string) {
		if note = plane.Printable(note); !said && note != "" {
			said = true
			show.Say("Another command is at it (%s); waiting for it.", note)
		}
	})
	if err != nil {
		return "", nil, adviseState(lab, err)
	}
	held.Note(fmt.Sprintf("%s, process %d", doing, os.Getpid()))
	return lab, func() { held.Unlock() }, nil
}

// closeLab takes from others the right to write into the state directory, where they could replace the kubeconfig or
// put another plane.json; the sticky bit forbids only the first. A folder that the reader chose, with SCRATCH_STATE
// or by a link, is not changed but refused, and so is one that stays open, as on a file system without modes.
func closeLab(lab string) error {
	info, err := os.Lstat(lab)
	if err != nil {
		return err
	}
	if info.IsDir() && info.Mode().Perm()&0o022 != 0 && os.Getenv(plane.StateEnv) == "" && plane.OwnedByUs(info) {
		if err := closeFolder(lab); err != nil {
			return err
		}
	}
	return plane.CheckState(lab)
}

// closeFolder takes the right to write into a folder from all but its owner, and leaves its other bits.
func closeFolder(path string) error {
	folder, info, err := plane.OpenFolder(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Chmod(info.Mode() &^ 0o022)
}

// UpOptions for [Up].
type UpOptions struct {
	// Port is the API server's port, 0 for a free one.
	Port int
	// Display shows building and starting. Nil shows nothing.
	Display term.Display
}

// Up starts the lasting control plane of this clone, with controllers, unless it runs: started says which. When ctx
// ends before it is ready, everything that was started is stopped again.
func Up(ctx context.Context, o UpOptions) (p *plane.Plane, started bool, err error) {
	show := o.Display
	if show == nil {
		show = term.Quiet()
	}
	lab, unlock, err := lockLab(ctx, show, "make up")
	if err != nil {
		return nil, false, err
	}
	defer unlock()
	r, err := report(ctx, lab)
	if err != nil {
		return nil, false, err
	}
	switch r.State {
	case Running:
		if o.Port != 0 && r.Plane.Server != fmt.Sprintf("https://127.0.0.1:%d", o.Port) {
			return nil, false, fmt.Errorf("the control plane runs already, on %s: stop it first (`make down`) to "+
				"start it on port %d", r.Plane.Server, o.Port)
		}
		return r.Plane, false, nil
	case Hung:
		return nil, false, fmt.Errorf("the control plane does not answer: %s; `make down` ends it", r.Why)
	case Unusable:
		return nil, false, fmt.Errorf("the control plane %s; or `make down` stops it, and everything that is in it is "+
			"gone", r.Why)
	}
	if err := plane.CheckForeign(lab); err != nil { // before anything is stopped or removed for a start that is refused
		return nil, false, err
	}
	switch r.State {
	case Absent:
	case Expired:
		show.Say("The last control plane %s; starting a new one.", r.Why)
		if err := stopAndWait(ctx, r.Plane); err != nil {
			return nil, false, err
		}
	default:
		show.Say("The last control plane %s; starting a new one.", r.Why)
	}
	if _, err := forget(lab, r.Plane); err != nil {
		return nil, false, err
	}
	k, p, err := startPlane(ctx, order{controllers: true, lasting: lab, port: o.Port, show: show})
	if err != nil {
		return nil, false, err
	}
	if err := k.release(); err != nil {
		return nil, false, errors.Join(err, k.stop())
	}
	return p, true, nil
}

// forget removes what a control plane that is gone left in the state directory and in its run directory. A kubeconfig
// that none of ours has written stays: kept is its path.
func forget(lab string, p *plane.Plane) (kept string, err error) {
	if p != nil {
		if err := plane.SweepRun(p.Dir); err != nil {
			return "", err
		}
	}
	if err := plane.Remove(lab); err != nil {
		return "", fmt.Errorf("remove the state of the last control plane: %w", err)
	}
	switch err := plane.RemoveKubeconfig(lab); {
	case errors.Is(err, plane.ErrLeftAlone):
		return filepath.Join(lab, plane.RunKubeconfig), nil
	case err != nil:
		return "", fmt.Errorf("remove the state of the last control plane: %w", err)
	}
	return "", nil
}

// Down stops the lasting control plane of this clone and returns what there was, State Absent if nothing. Its objects
// are gone with it. A kubeconfig in its place that no control plane of ours has written is left alone, and named in the
// report.
func Down(ctx context.Context, show term.Display) (*Report, error) {
	if show == nil {
		show = term.Quiet()
	}
	lab, unlock, err := lockLab(ctx, show, "make down")
	if err != nil {
		return nil, err
	}
	defer unlock()
	r, err := report(ctx, lab)
	if err != nil {
		return nil, err
	}
	switch r.State {
	case Running, Expired, Unusable:
		if err := stopAndWait(ctx, r.Plane); err != nil {
			return nil, err
		}
	case Hung:
		if err := killSupervisor(ctx, r.Plane); err != nil {
			return nil, err
		}
	}
	r.Kept, err = forget(lab, r.Plane)
	return r, err
}

// stopAndWait asks a supervisor to stop; its run directory is gone when it answers.
func stopAndWait(ctx context.Context, p *plane.Plane) error {
	return stopWithin(ctx, p, stopTimeout)
}

func stopWithin(ctx context.Context, p *plane.Plane, limit time.Duration) error {
	asking, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := plane.Ask(asking, p.Dir, plane.Request{Op: plane.OpStop})
	switch {
	case err == nil, errors.Is(err, plane.ErrNoSupervisor):
		return nil
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the control plane has not stopped within %v. What is left of it: %s. "+
			"A second `make down` ends it", limit, left(p))
	}
	return fmt.Errorf("stop the control plane: %w", err)
}

// left names the processes of a control plane.
func left(p *plane.Plane) string {
	processes, _ := plane.ProcessesNaming(p.Dir)
	programs := append(slices.Clone(plane.Servers), "supervisor")
	var names []string
	for _, p := range processes {
		if i := slices.IndexFunc(programs, func(name plane.Component) bool { return p.Runs(name) }); i >= 0 {
			names = append(names, fmt.Sprintf("%s (process %d)", programs[i], p.PID))
		}
	}
	if len(names) == 0 {
		return "its run directory " + p.Dir
	}
	return strings.Join(names, ", ")
}

// killSupervisor ends a supervisor that does not answer. Its leashes end the servers.
func killSupervisor(ctx context.Context, p *plane.Plane) error {
	running, err := plane.ProcessesNaming(p.Dir)
	if err != nil {
		return err
	}
	for _, process := range running {
		// Not another program that has got its number since.
		if process.PID == p.Supervisor && process.Runs("supervisor") {
			if err := plane.Kill(process.PID); err != nil {
				return fmt.Errorf("end the supervisor, process %d: %w", process.PID, err)
			}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	lock, err := filelock.Wait(ctx, filepath.Join(p.Dir, plane.RunLock), nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("wait for the supervisor's end: %w", err)
	}
	return lock.Unlock()
}
