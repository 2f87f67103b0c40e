package main

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo plays to its end on a real API server, and shows what the lesson points at.
func TestDemo(t *testing.T) {
	// ⟨to be written⟩
	demotest.Has(t, demotest.Play(t, demo()), "> GET .../configmaps?", "< 2 objects", "~ the sum is 3")
}

func TestDemoAsksWhatWillHappen(t *testing.T) { demotest.Questions(t, demo()) }

func TestDemoFaults(t *testing.T) {
	demotest.Has(t, demotest.Play(t, demo(), "-fault", "missing"), "< 404 Not Found")
}
