package managed_test

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// counted is how often runs ended in which way.
type counted struct {
	lock sync.Mutex // guards ends
	ends map[string]int
}

func (c *counted) observe(_ mirror.Key, err error) {
	var stale *mirror.StaleError
	end := "right"
	switch {
	case errors.As(err, &stale):
		end = "stale"
	case apierrors.IsConflict(err):
		end = "conflict"
	case err != nil:
		end = err.Error()
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.ends[end]++
}

// take is what was counted since the last take.
func (c *counted) take() map[string]int {
	c.lock.Lock()
	defer c.lock.Unlock()
	ends := c.ends
	c.ends = map[string]int{}
	return ends
}

// behind has a controller write north/menu, and holds back what its cache would show of that. Then there is news of
// north, and east begins to ask. It says what was written meanwhile, and what came of the runs.
func behind(t *testing.T, own managed.OwnWrites) (written []string, ends map[string]int) {
	server := newMemory(t)
	server.asks("north", "")
	server.source("soup")
	hold := scenario.HoldAtUpdate(server.server, "configmaps")
	wire, runs := &writes{next: hold}, &counted{ends: map[string]int{}}
	m, err := managed.New(server.access, &http.Client{Transport: wire},
		managed.Options{Group: group, OwnWrites: own, Observe: runs.observe})
	require.NoError(t, err)
	stop, _ := start(t, m)
	pass(time.Minute)
	require.Equal(t, []string{"POST north/...: 201"}, wire.take())
	server.source("stew")
	pass(time.Minute)
	require.Equal(t, []string{"PUT north/menu: 200"}, wire.take())

	runs.take()
	server.asks("north", "news")
	server.asks("east", "")
	pass(10 * time.Minute)
	written, ends = wire.take(), runs.take()
	hold.Release()
	pass(10 * time.Minute)
	require.NoError(t, stop())
	return written, ends
}

// While the cache does not show what it has written, chapter 09's note fails the run, and asks the API server for
// nothing. Without a note the run makes the write again, from what it read, and is refused. A client that waits does
// neither, and its worker does nothing else either: a List waits for the writes of all keys, so that east, which is new
// and has nothing to do with the write, has no mirror yet.
func TestACacheThatIsBehind(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		written, ends := behind(t, managed.Noted)
		require.Equal(t, []string{"POST east/...: 201"}, written)
		require.Greater(t, ends["stale"], 10)
		require.Zero(t, ends["conflict"])
	})
	testkit.Bubble(t, func(t *testing.T) {
		written, ends := behind(t, managed.Unnoted)
		require.Contains(t, written, "POST east/...: 201")
		require.Contains(t, written, "PUT north/menu: 409")
		require.Len(t, written, 1+ends["conflict"])
	})
	testkit.Bubble(t, func(t *testing.T) {
		written, ends := behind(t, managed.Awaited)
		require.Empty(t, written)
		require.Empty(t, ends)
	})
}

// A client that waits is told by an event of that version or a later one. If the watch broke before the event, and the
// object is gone when the collection is listed again, there is none: the list is newer, and nobody is told that. The
// run waits until something else changes, which may be never.
func TestAClientThatWaitsMayWaitForEver(t *testing.T) {
	const says = "what it wrote, and nobody saw, and is gone, is written again"
	require.Empty(t, mirrortest.Play(t, of(managed.Options{OwnWrites: managed.Noted}), says))
	require.Empty(t, mirrortest.Play(t, of(managed.Options{OwnWrites: managed.Unnoted}), says))
	problems := mirrortest.Play(t, of(managed.Options{OwnWrites: managed.Awaited}), says)
	require.Len(t, problems, 1)
	require.Contains(t, problems[0], "b/menu has no mirror of a/menu")
	require.Contains(t, problems[0], "c/menu has no mirror of a/menu")
}
