package local

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
)

// newBase makes a folder of run directories.
func newBase(t *testing.T) string { return planetest.Base(t, plane.BaseName()) }

// newRun makes a folder with something in it, and with a lock it is a run directory that a killed supervisor left.
func newRun(t *testing.T, run string, withLock bool) string {
	if withLock {
		return planetest.Run(t, run, plane.RunLock)
	}
	return planetest.Run(t, run, "")
}
