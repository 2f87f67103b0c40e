package plane

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
)

// newBase makes a folder of run directories.
func newBase(t *testing.T) string { return planetest.Base(t, BaseName()) }

// newRun makes a folder with something in it, and with a lock it is a run directory that a killed supervisor left.
func newRun(t *testing.T, run string, withLock bool) string {
	if withLock {
		return planetest.Run(t, run, RunLock)
	}
	return planetest.Run(t, run, "")
}
