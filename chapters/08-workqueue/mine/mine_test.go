package main

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// Whose the piece is, is said, and either runs.
func TestMine(t *testing.T) {
	demotest.Has(t, demotest.Play(t, demo(false)), "the sum is the book's", "by a sum that is the book's")
	demotest.Has(t, demotest.Play(t, demo(true)), "the sum is yours")
}
