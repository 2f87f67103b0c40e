package claims

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// TestNoPagesAtVersionZero: a list at resourceVersion 0 comes from the watch cache, which does not cut it into pages.
// An informer that asks for limit=500 gets everything at once.
//
// covers: B-03
func TestNoPagesAtVersionZero(t *testing.T) {
	f := setup(t)
	for _, name := range []string{"a", "b", "c"} {
		f.create(name)
	}
	require.EventuallyWithT(t, func(c *assert.CollectT) { // version 0 may be any state
		list := f.list(t, watch.Options{ResourceVersion: "0", Limit: 1})
		require.Equal(c, []string{"a", "b", "c"}, names(t, list), "a limit of one")
		require.Empty(c, list.Metadata.Continue)
	}, 10*time.Second, 20*time.Millisecond)
	require.Equal(t, []string{"a"}, names(t, f.list(t, watch.Options{Limit: 1})), "without a version there are pages")
}

// TestALimitMakesAVersionExact: a number asks for a state that is not older.
// With a limit beside it, it asks for that very state.
//
// covers: C-04
func TestALimitMakesAVersionExact(t *testing.T) {
	f := setup(t)
	old := f.create("a")
	newest := f.create("b")
	f.list(t, watch.Options{ResourceVersion: newest}) // or the watch cache may not have heard of b yet
	require.Equal(t, []string{"a", "b"}, names(t, f.list(t, watch.Options{ResourceVersion: old})))
	require.Equal(t, []string{"a"}, names(t, f.list(t, watch.Options{ResourceVersion: old, Limit: 10})))
	notOlder := watch.Options{ResourceVersion: old, ResourceVersionMatch: "NotOlderThan", Limit: 10}
	require.Equal(t, []string{"a", "b"}, names(t, f.list(t, notOlder)))
}
