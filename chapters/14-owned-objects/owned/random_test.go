package owned_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned/ownedtest"
)

var full = flag.Bool("full", false, "TestRandomOperations: 200 seeds, and not 10")

// 500 random operations, with a late watch and lost answers: there are never more children than are wanted, nobody
// else's Process is touched, and at the end all is right and nothing is written.
func TestRandomOperations(t *testing.T) {
	seeds := uint64(10)
	if *full {
		seeds = 200
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			require.Empty(t, ownedtest.Run(t, seed, 500, owned.Ours()))
		})
	}
}

// The oracle notices what names and memory are for.
func TestRandomOperationsTellWhatIsMissing(t *testing.T) {
	for name, change := range map[string]func(*owned.Parts){
		"names":  func(p *owned.Parts) { p.Generated = true },
		"memory": func(p *owned.Parts) { p.Generated, p.Memory = true, owned.Nothing{} },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				parts := owned.Ours()
				change(&parts)
				if len(ownedtest.Run(t, seed, 500, parts)) > 0 {
					return
				}
			}
			t.Error("in 20 runs nothing was wrong without it")
		})
	}
}
