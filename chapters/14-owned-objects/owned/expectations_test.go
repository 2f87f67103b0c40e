package owned_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// The sets of these tests.
const ours, theirs types.UID = "ours", "theirs"

// late says whether a set is, and requires that it is told for how long.
func late(t *testing.T, e *owned.Expectations, set types.UID) bool {
	t.Helper()
	is, until, err := e.Late(set)
	require.NoError(t, err)
	require.Equal(t, is, until > 0)
	return is
}

// What a memory believes after these calls, in this order. A row is about ours alone.
func TestExpectations(t *testing.T) {
	refused := errors.New("refused")
	for name, c := range map[string]struct {
		calls func(e *owned.Expectations)
		late  bool
	}{
		"nothing": {func(*owned.Expectations) {}, false},
		"a name, created": {func(e *owned.Expectations) {
			e.Creating(ours, "web-0")
			e.Created(ours, child("web-0"), nil)
		}, true},
		"a name, shown": {func(e *owned.Expectations) {
			e.Creating(ours, "web-0")
			e.Shown(ours, child("web-0"))
		}, false},
		"a name, shown before its answer": {func(e *owned.Expectations) {
			e.Creating(ours, "web-0")
			e.Shown(ours, child("web-0"))
			e.Created(ours, child("web-0"), nil)
		}, false},
		"a name, of which the cache shows the end alone": {func(e *owned.Expectations) {
			e.Creating(ours, "web-0")
			e.Gone(ours, child("web-0"))
		}, false},
		"a name, refused": {func(e *owned.Expectations) {
			e.Creating(ours, "web-0")
			e.Created(ours, child("web-0"), refused)
		}, false},
		"two names, one refused": {func(e *owned.Expectations) {
			e.Creating(ours, "web-0")
			e.Creating(ours, "web-1")
			e.Created(ours, child("web-0"), refused)
		}, true},
		"two names, one shown twice": {func(e *owned.Expectations) {
			e.Creating(ours, "web-0")
			e.Creating(ours, "web-1")
			e.Shown(ours, child("web-0"))
			e.Shown(ours, child("web-0"))
		}, true},
		"a name, and another one is shown": {func(e *owned.Expectations) {
			e.Creating(ours, "web-0")
			e.Shown(ours, child("web-7"))
		}, true},
		"another one is shown before a name": {func(e *owned.Expectations) {
			e.Shown(ours, child("web-7"))
			e.Creating(ours, "web-0")
		}, true},
		"two unnamed, one shown": {func(e *owned.Expectations) {
			e.Creating(ours, "")
			e.Creating(ours, "")
			e.Shown(ours, child("web-x7k2p"))
		}, true},
		"two unnamed, both shown": {func(e *owned.Expectations) {
			e.Creating(ours, "")
			e.Creating(ours, "")
			e.Shown(ours, child("web-x7k2p"))
			e.Shown(ours, child("web-b9q4z"))
		}, false},
		"two unnamed, one shown and one refused": {func(e *owned.Expectations) {
			e.Creating(ours, "")
			e.Creating(ours, "")
			e.Shown(ours, child("web-x7k2p"))
			e.Created(ours, child(""), refused)
		}, false},
		"an unnamed one, and before it more were shown than expected": {func(e *owned.Expectations) {
			e.Creating(ours, "")
			e.Shown(ours, child("web-x7k2p"))
			e.Shown(ours, child("web-b9q4z"))
			e.Creating(ours, "")
		}, true},
		"a deletion, answered": {func(e *owned.Expectations) {
			e.Deleting(ours, "uid of web-0")
			e.Deleted(ours, "uid of web-0", nil)
		}, true},
		"a deletion, refused": {func(e *owned.Expectations) {
			e.Deleting(ours, "uid of web-0")
			e.Deleted(ours, "uid of web-0", refused)
		}, false},
		"a deletion, shown": {func(e *owned.Expectations) {
			e.Deleting(ours, "uid of web-0")
			e.Gone(ours, child("web-0"))
		}, false},
		"two deletions, one of which begins and ends": {func(e *owned.Expectations) {
			e.Deleting(ours, "uid of web-0")
			e.Deleting(ours, "uid of web-1")
			e.Gone(ours, child("web-0", slow))
			e.Gone(ours, child("web-0"))
		}, true},
		"a deletion, and another object of the name goes": {func(e *owned.Expectations) {
			e.Deleting(ours, "uid of the web-0 before")
			e.Gone(ours, child("web-0"))
		}, true},
		"what another set waits for": {func(e *owned.Expectations) {
			e.Creating(theirs, "web-0")
			e.Deleting(theirs, "uid of web-1")
		}, false},
		"what another set is shown": {func(e *owned.Expectations) {
			e.Creating(ours, "web-0")
			e.Creating(theirs, "web-0")
			e.Shown(theirs, child("web-0"))
		}, true},
		"all, forgotten": {func(e *owned.Expectations) {
			e.Creating(ours, "")
			e.Creating(ours, "web-0")
			e.Deleting(ours, "uid of web-1")
			e.Forget(ours)
		}, false},
		"another set, forgotten": {func(e *owned.Expectations) {
			e.Creating(ours, "web-0")
			e.Forget(theirs)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			e := owned.NewExpectations(time.Minute)
			c.calls(e)
			require.Equal(t, c.late, late(t, e, ours))
		})
	}
}

// What does not come is believed for so long, counted from the last request. Nothing of it is left then.
func TestExpectationsTimeOut(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		e := owned.NewExpectations(time.Minute)
		e.Creating(ours, "web-0")
		time.Sleep(40 * time.Second)
		e.Deleting(ours, "uid of web-1")
		_, until, err := e.Late(ours)
		require.NoError(t, err)
		require.Equal(t, time.Minute, until)
		time.Sleep(20 * time.Second)
		e.Shown(ours, child("web-7")) // which is no request
		_, until, err = e.Late(ours)
		require.NoError(t, err)
		require.Equal(t, 40*time.Second, until)
		time.Sleep(until)
		require.False(t, late(t, e, ours))
		e.Creating(ours, "web-2")
		e.Shown(ours, child("web-2"))
		require.False(t, late(t, e, ours), "what has timed out is not waited for again")
	})
}

// Workers and handlers call at once; in the end all has been shown.
func TestExpectationsAtOnce(t *testing.T) {
	e := owned.NewExpectations(time.Minute)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			set := []types.UID{ours, theirs}[i%2]
			for j := range 100 {
				name := fmt.Sprintf("web-%d-%d", i, j)
				e.Creating(set, name)
				e.Deleting(set, types.UID("uid of "+name))
				_, _, _ = e.Late(set)
				e.Shown(set, child(name))
				e.Gone(set, child(name))
			}
		})
	}
	all.Wait()
	require.False(t, late(t, e, ours))
	require.False(t, late(t, e, theirs))
}
