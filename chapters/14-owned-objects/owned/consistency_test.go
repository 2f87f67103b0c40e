package owned_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// at is a child, or a set, at a version.
func at(version string) *v1alpha1.Process {
	return child("web-0", func(p *v1alpha1.Process) { p.ResourceVersion = version })
}

func setAt(uid types.UID, version string) *v1alpha1.ProcessSet {
	set := web(1)
	set.UID, set.ResourceVersion = uid, version
	return set
}

// ready is what a set's run is told.
func ready(c *owned.Consistency, set types.UID) error {
	_, _, err := c.Late(set)
	return err
}

// A row has what was written, up to which version each cache has shown everything, and whether a run may begin.
//
// These are the cases of upstream's table, which is not for import: k8s.io/kubernetes is no library. They are, by the
// names of pkg/controller/util/consistency/consistency_test.go:
//   - TestConsistencyStore_IsReady and TestOwnerRecord_IsReady, in their order: nothing written, cache unknown,
//     behind, equal, ahead, the set alone behind (their second resource), both shown;
//   - TestOwnerRecord_WroteAt and TestConsistencyStore_WroteAt: a higher version counts, a lower one does not, and
//     Processes and sets have their own.
//
// What is asked of more than one run is in TestConsistencyForgets. Upstream's tests of the record behind a name
// (_EnsureWrittenRecord) have no row: ours is known by UID alone.
func TestConsistency(t *testing.T) {
	lost := errors.New("the connection broke before the answer came")
	created := func(versions ...string) func(*owned.Consistency) {
		return func(c *owned.Consistency) {
			for _, version := range versions {
				c.Created(ours, at(version), nil)
			}
		}
	}
	saved := func(version string) func(*owned.Consistency) {
		return func(c *owned.Consistency) { c.Saved(setAt(ours, version)) }
	}
	both := func(c *owned.Consistency) { created("10")(c); saved("100")(c) }
	for name, c := range map[string]struct {
		writes         func(*owned.Consistency)
		children, sets string
		behind         string // a part of the error
	}{
		"nothing written":      {func(*owned.Consistency) {}, "5", "5", ""},
		"cache unknown":        {both, "", "", ""},
		"behind":               {created("10"), "5", "5", "Processes is at version 5, and 10 was written"},
		"behind, by digits":    {created("10"), "9", "9", "Processes is at version 9, and 10 was written"},
		"equal":                {created("10"), "10", "5", ""},
		"ahead":                {created("10"), "15", "5", ""},
		"the set alone behind": {both, "15", "50", "ProcessSets is at version 50, and 100 was written"},
		"the children alone":   {both, "9", "100", "Processes is at version 9, and 10 was written"},
		"both shown":           {both, "15", "100", ""},
		"only the set written": {saved("10"), "5", "9", "ProcessSets is at version 9, and 10 was written"},

		"a higher version":       {created("5", "10"), "9", "1", "and 10 was written"},
		"a lower version":        {created("10", "8"), "9", "1", "and 10 was written"},
		"a lower one, by digits": {created("10", "9"), "9", "1", "and 10 was written"},
		"each has its own":       {both, "10", "99", "ProcessSets is at version 99, and 100 was written"},

		"a broken cache":           {both, "blue", "-1", ""},
		"a broken answer":          {created("blue"), "5", "5", ""},
		"a good one after it":      {created("blue", "10"), "5", "5", "and 10 was written"},
		"one broken, one behind":   {both, "blue", "50", "ProcessSets is at version 50, and 100 was written"},
		"a leading zero":           {created("010"), "5", "5", ""},
		"a version beyond numbers": {created("99999999999999999999"), "5", "5", "99999999999999999999 was written"},

		"another set's": {func(c *owned.Consistency) {
			c.Created(theirs, at("10"), nil)
			c.Saved(setAt(theirs, "10"))
		}, "5", "5", ""},

		// Upstream's store can't be told of these either.
		"a lost answer": {func(c *owned.Consistency) {
			c.Creating(ours, "web-0")
			c.Created(ours, at("10"), lost)
		}, "5", "5", ""},
		"a deletion": {func(c *owned.Consistency) {
			c.Deleting(ours, "uid of web-0")
			c.Deleted(ours, "uid of web-0", nil)
		}, "5", "5", ""},
	} {
		t.Run(name, func(t *testing.T) {
			store := owned.NewConsistency(func() string { return c.children }, func() string { return c.sets })
			c.writes(store)
			is, until, err := store.Late(ours)
			require.False(t, is)
			require.Zero(t, until)
			if c.behind == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.behind)
			}
		})
	}
}

// As upstream's TestConsistencyStore_Clear, and the end of TestConsistencyStore_IsReady: what was shown once is asked
// for no more, nor is what was written for a set that is gone. One that is made anew has written nothing.
func TestConsistencyForgets(t *testing.T) {
	version := "5"
	store := owned.NewConsistency(func() string { return version }, func() string { return version })
	store.Created(ours, at("10"), nil)
	store.Created(theirs, at("10"), nil)
	require.Error(t, ready(store, ours))
	require.Error(t, ready(store, ours), "asking changes nothing")
	version = "10"
	require.NoError(t, ready(store, ours))
	version = "5" // no cache goes back: here it shows what was forgotten
	require.NoError(t, ready(store, ours))
	require.Error(t, ready(store, theirs), "each set has its own")

	require.NoError(t, ready(store, "of a set made anew"))
	store.Forget("of a set that wrote nothing")
	require.Error(t, ready(store, theirs))
	store.Forget(theirs)
	require.NoError(t, ready(store, theirs))
}

// As upstream's TestConsistencyStore_EnsureWrittenRecord_Concurrent: of all that is written at once the highest counts.
func TestConsistencyAtOnce(t *testing.T) {
	store := owned.NewConsistency(func() string { return "149" }, func() string { return "999" })
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			store.Created(ours, at(strconv.Itoa(101+i)), nil)
			store.Saved(setAt(ours, "100"))
			store.Forget(theirs)
		})
	}
	all.Wait()
	require.ErrorContains(t, ready(store, ours), "and 150 was written")
}
