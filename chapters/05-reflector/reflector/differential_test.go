package reflector_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest/scripted"
)

// start makes a reflector that feeds a ledger, and returns what runs it.
type start func(lw cache.ListerWatcher, l *ledger, pageSize int64) func(context.Context)

// upstreams is client-go's Reflector, as an informer runs it.
func upstreams(lw cache.ListerWatcher, l *ledger, pageSize int64) func(context.Context) {
	return cache.New(&cache.Config{
		Queue: l, ListerWatcher: lw, ObjectType: &corev1.ConfigMap{},
		WatchListPageSize: pageSize, WatchErrorHandlerWithContext: l.failed,
	}).RunWithContext
}

// ours is this package's.
func ours(lw cache.ListerWatcher, l *ledger, pageSize int64) func(context.Context) {
	return reflector.New(lw, &corev1.ConfigMap{}, l, reflector.Options{
		PageSize: pageSize, WatchErrorHandler: l.failed,
	}).RunWithContext
}

// play has a reflector live through the script of a seed.
func play(t *testing.T, seed uint64, start start) scripted.Played {
	t.Helper()
	lists, pageSize := seed%3 == 0, int64(0)
	if lists && seed%2 == 0 {
		pageSize = 2
	}
	featuretesting.SetFeatureDuringTest(t, clientfeatures.WatchListClient, !lists)
	options := scripted.Options{Seed: seed, Script: scripted.Draw(seed), Pages: lists}
	return scripted.Play(t, options, func(w *scripted.World) scripted.Client {
		l := newLedger(w.Log, seed%4 == 1)
		return scripted.Client{Run: start(w.Source, l, pageSize), Has: l.has}
	})
}

// scripts is how many fault scripts are played.
const scripts = 100

// Under the same faults ours asks for the same as client-go's Reflector, in the same order, and tells its store and its
// error handler the same. Some stores take the versions of the objects away.
func TestDecidesAsUpstreamDoes(t *testing.T) {
	all, played := map[string]int{}, 0
	for seed := range uint64(scripts) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			theirs := play(t, seed, upstreams)
			own := play(t, seed, ours)
			played++
			require.Empty(t, scripted.Difference(theirs.Log, own.Log), "%s", scripted.Draw(seed))
			for meeting, times := range theirs.Met {
				all[meeting] += times
			}
		})
	}
	if played < scripts {
		return // -run has chosen some, or the test has failed
	}
	for _, meeting := range scripted.Meetings() {
		require.NotZero(t, all[meeting], "no script has %s; there are: %v", meeting, all)
	}
}

// What is compared depends on the seed alone: client-go's Reflector, which waits for other times in each run, leaves
// the same behind twice.
func TestAScriptIsPlayedTheSameTwice(t *testing.T) {
	for seed := uint64(scripts); seed < scripts+10; seed++ {
		require.Empty(t, scripted.Difference(play(t, seed, upstreams).Log, play(t, seed, upstreams).Log),
			"seed %d: %s", seed, scripted.Draw(seed))
	}
}
