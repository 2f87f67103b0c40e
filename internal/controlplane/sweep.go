package controlplane

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/filelock"
)

// Sweep removes what killed runs left in the folder of run directories, and ends processes that still use them. The caller holds
// the lock [BaseLock] of the folder, so that no run directory appears meanwhile.
func Sweep(base string) error {
	entries, err := os.ReadDir(base)
	if err != nil {
		return err
	}
	var failed []error
	for _, e := range entries {
		if e.IsDir() {
			failed = append(failed, sweepRun(filepath.Join(base, e.Name())))
		}
	}
	return errors.Join(failed...)
}

// sweepRun removes one run directory, if it is there and its supervisor is gone.
func sweepRun(run string) error {
	if _, err := os.Lstat(run); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	held, err := filelock.Try(filepath.Join(run, RunLock))
	if errors.Is(err, filelock.ErrHeld) {
		return nil
	}
	if err == nil {
		defer held.Unlock()
	}
	// The leashes have killed the servers already, unless they were killed themselves.
	left, err := ProcessesNaming(run + string(filepath.Separator))
	if err != nil {
		return err
	}
	for _, p := range left {
		switch Component(p.Program) {
		case Etcd, KubeAPIServer, KubeControllerManager:
		default:
			continue // somebody reads a log
		}
		if err := kill(p.PID); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("end process %d, which a killed control plane left: %w", p.PID, err)
		}
	}
	if err := os.RemoveAll(run); err != nil {
		return fmt.Errorf("remove what a killed control plane left: %w", err)
	}
	return nil
}
