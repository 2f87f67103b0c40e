package main

import (
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/minetest"
)

func TestMineNamesAfterStage1(t *testing.T) {
	minetest.Run(t, map[string]string{"2-names": "partial/stage1"}, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{names: true}, time.Minute)),
			"your Next goes on with shop-2, shop-3",
			"Stage 2 of 14.2 is still to be written")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineNamesWhatIsAStrangers(t *testing.T) {
	minetest.Run(t, map[string]string{"2-names": "what-exists-is-made"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{names: true}, time.Minute)),
			"Create of 1 should return shop-3, and returned",
			"make grade EX=14.2 says more")
	})
}
