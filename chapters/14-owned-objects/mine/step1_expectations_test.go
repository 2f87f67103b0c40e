package main

import (
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/minetest"
)

// Expectations that are not at their last stage work as far as they can.
func TestMineExpectsAfterStage1(t *testing.T) {
	minetest.Run(t, map[string]string{"1-expectations": "partial/stage1"}, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{expectations: true}, time.Minute)),
			"yours: expectations; not written yet: names, claim",
			"Stage 2 of 14.1 is still to be written. Until then the book expects and sends",
			"held: 2 made", "goes on: 3 made")
	})
}

// After a failure nothing is expected any more: the next run makes what it does not see.
func TestMineExpectsTooLittle(t *testing.T) {
	minetest.Run(t, map[string]string{"1-expectations": "lowered-for-all"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{expectations: true}, time.Minute)),
			"5 Processes are made and not 2", "make grade EX=14.1 says more")
	})
}

// After a failure all is expected still: no run makes what is missing.
func TestMineExpectsTooMuch(t *testing.T) {
	minetest.Run(t, map[string]string{"1-expectations": "not-lowered"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{expectations: true}, 10*time.Second)),
			"2 Processes are made and not 3, and Satisfied is false", "make grade EX=14.1 says more")
	})
}
