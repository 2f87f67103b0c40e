package main

import (
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/minetest"
)

// Whoever has stage 1 or 2 sees it at work, and reads which one is next.
func TestMineClaimsAfterStage1(t *testing.T) {
	minetest.Run(t, map[string]string{"3-claim": "partial/stage1"}, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{claim: true}, time.Minute)),
			"web-0 app=web web web yes", "Stage 2 of 14.3 is still to be written: relabelled has the set")
	})
}

// A Claim that adopts for a set that is gone is sent to its grader.
func TestMineClaimsForASetThatIsGone(t *testing.T) {
	minetest.Run(t, map[string]string{"3-claim": "the-name-is-there"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{claim: true}, time.Minute)),
			"is gone, and your Claim has adopted", "make grade EX=14.3 says more")
	})
}
