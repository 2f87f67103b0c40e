package claims

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
)

// alive are the figures of the demo's table: the most that were alive at one time in three troubles, and the fewest
// when a set was scaled to two.
type alive struct{ late, lost, two, scaled int }

// naive is the way whose figures have no upper bound: each run that a conflict repeats makes as many again as its
// cache does not show. How many these are depends on the machine. All other figures are decided by what is asked
// before a run.
const naive = "the cache alone"

// What the demo's table shows, on upstream's informer and queue and on the book's: which way makes too many, and which
// deletes too many.
//
// covers: S0-36 S0-43 C-03
func TestWays(t *testing.T) {
	figures := map[string]alive{
		naive:                       {30, 35, 60, 0}, // at least
		"names":                     {5, 5, 5, 0},
		"expectations":              {5, 6, 10, 2},
		"a live list":               {5, 5, 10, 2},
		"versions":                  {5, 6, 10, 0},
		"read your writes":          {5, 6, 10, 2},
		"names, expectations, rank": {5, 5, 5, 2},
	}
	for name, parts := range map[string]managed.Parts{"upstream": managed.Upstream(), "book": managed.Book()} {
		t.Run(name, func(t *testing.T) {
			w := newSite(t).world()
			for _, way := range scenario.Ways() {
				var all []scenario.Figures
				for _, trouble := range scenario.Troubles() {
					f, err := w.Play(t.Context(), way, trouble, parts)
					require.NoError(t, err)
					all = append(all, f)
				}
				want, got := figures[way.Name], alive{all[0].Most, all[1].Most, all[2].Most, all[3].Fewest}
				if way.Name == naive {
					got = alive{min(want.late, got.late), min(want.lost, got.lost), min(want.two, got.two), got.scaled}
				}
				require.Equal(t, want, got, way.Name)
			}
		})
	}
}
