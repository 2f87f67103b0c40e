// Package reflectortest is what any reflector has to pass, for later chapters' tests, too: the suite is [Run], and
// [Server] and [Store] are the two ends between which it runs a reflector.
//
// Reading order: the promises (suite.go, start.go, resume.go), the server (server.go), and the store (store.go). The
// package scripted is a world for tests that compare.
package reflectortest

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// Start runs a reflector of ConfigMaps until ctx ends. It begins with a streaming list.
type Start func(ctx context.Context, source cache.ListerWatcher, into cache.ReflectorStore)

// Run checks a reflector's promises, each in virtual time. In a package that calls it,
// utilruntime.ErrorHandlers[1:] have to be taken away: one of them counts time across bubbles.
func Run(t *testing.T, start Start) {
	for _, promise := range slices.Concat(initialPromises, resumePromises) {
		t.Run(promise.name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				s := &scene{Server: NewServer("a", "b"), store: &Store{}, start: start}
				s.ctx, s.stop = context.WithCancel(t.Context())
				defer s.stop()
				promise.check(t, s)
			})
		})
	}
}

// promise is one of a reflector's.
type promise struct {
	name  string
	check func(t *testing.T, s *scene)
}

// scene is a reflector between a server with a and b, at version 3, and an empty store.
type scene struct {
	*Server
	store *Store
	start Start
	ctx   context.Context
	stop  context.CancelFunc
	ended chan struct{} // closed when the reflector has returned
}

// begin starts the reflector, and returns when it waits for what is next.
func (s *scene) begin() {
	s.ended = make(chan struct{})
	go func() {
		defer close(s.ended)
		s.start(s.ctx, s.Server, s.store)
	}()
	synctest.Wait()
}

// later lets time pass.
func later(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// equal compares the store with the server, and the requests and calls so far with what they should have been.
func (s *scene) equal(t *testing.T, requests, calls []string) {
	t.Helper()
	require.Equal(t, requests, s.Sent(), "the requests")
	require.Equal(t, calls, s.store.Calls(), "the store's calls")
	require.Equal(t, s.Server.Values(), s.store.Values(), "what the store holds")
}
