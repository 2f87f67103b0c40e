package plane

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
)

// Sweep removes what killed runs left in the folder of run directories, and ends processes that still use them. The
// caller holds the lock [BaseLock] of the folder, so that no run directory appears meanwhile.
func Sweep(base string) error {
	if err := CheckRunBase(base); err != nil {
		return err
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		return err
	}
	var failed []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), NamespaceLock) && e.Type().IsRegular() {
			failed = append(failed, sweepClaim(filepath.Join(base, e.Name())))
			continue
		}
		err := SweepRun(filepath.Join(base, e.Name()))
		if e.IsDir() && !errors.Is(err, ErrForeign) { // what is no run directory is not ours to judge
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// sweepClaim removes the lock file of a namespace when nobody holds it any more and the control plane is gone that its
// note names, and the namespace with it. One without a note is of another cluster, which a later run may clear up.
func sweepClaim(path string) error {
	run := filelock.Read(path)
	if !filepath.IsAbs(run) || filepath.Base(filepath.Dir(run)) != BaseName() {
		return nil
	}
	if _, err := os.Lstat(run); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	held, err := filelock.Try(path)
	if err != nil {
		return nil // its run lives
	}
	defer held.Unlock()
	return os.Remove(path)
}

// SweepRun removes one run directory, if it is there and its supervisor is gone. The error is ErrForeign, and nothing
// has happened, when run is anything else.
func SweepRun(run string) error {
	switch err := CheckRun(run); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, errNoLock):
		if os.Remove(run) == nil { // an empty folder: a supervisor was killed before it had made the lock
			return nil
		}
		return err
	case err != nil:
		return err
	}
	held, err := filelock.Try(filepath.Join(run, RunLock))
	if errors.Is(err, filelock.ErrHeld) {
		return nil
	}
	if err != nil {
		return err
	}
	defer held.Unlock()
	// The leashes have killed the servers already, unless they were killed themselves.
	left, err := ProcessesNaming(run + string(filepath.Separator))
	if err != nil {
		return err
	}
	for _, p := range left {
		if !p.Runs(Servers...) {
			continue // somebody reads a log
		}
		if err := Kill(p.PID); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("end process %d, which a killed control plane left: %w", p.PID, err)
		}
	}
	if err := os.RemoveAll(run); err != nil {
		return fmt.Errorf("remove what a killed control plane left: %w", err)
	}
	return nil
}
