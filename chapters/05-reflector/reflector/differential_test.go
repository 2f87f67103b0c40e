package reflector_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// long is the shortest time that a watch is asked to last: in a test the server ends none.
const long = 500 * time.Hour

// upstreams is client-go's Reflector, as an informer runs it.
func upstreams(pageSize int64) func(context.Context, cache.ListerWatcher, *ledger) {
	return func(ctx context.Context, lw cache.ListerWatcher, l *ledger) {
		cache.New(&cache.Config{
			Queue: l, ListerWatcher: lw, ObjectType: &corev1.ConfigMap{},
			MinWatchTimeout: long, WatchListPageSize: pageSize,
			WatchErrorHandlerWithContext: func(_ context.Context, _ *cache.Reflector, err error) {
				_ = l.write(nil, "  error handler: %v", err)
			},
		}).RunWithContext(ctx)
	}
}

// ours is this package's.
func ours(pageSize int64) func(context.Context, cache.ListerWatcher, *ledger) {
	return func(ctx context.Context, lw cache.ListerWatcher, l *ledger) {
		reflector.New(lw, &corev1.ConfigMap{}, l, reflector.Options{
			MinWatchTimeout: long, PageSize: pageSize,
			WatchErrorHandler: func(_ context.Context, _ *cache.Reflector, err error) {
				_ = l.write(nil, "  error handler: %v", err)
			},
		}).RunWithContext(ctx)
	}
}

// scripts is how many fault scripts are played.
const scripts = 100

// Under the same faults ours asks for the same as client-go's Reflector, in the same order, and tells its store and its
// error handler the same.
func TestDecidesAsUpstreamDoes(t *testing.T) {
	all := map[string]int{}
	for seed := range uint64(scripts) {
		lists, pageSize := seed%3 == 0, int64(0)
		if lists && seed%2 == 0 {
			pageSize = 2
		}
		s := drawn(seed)
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			featuretesting.SetFeatureDuringTest(t, clientfeatures.WatchListClient, !lists)
			theirs, met := play(t, seed, s, lists, upstreams(pageSize))
			text, _ := play(t, seed, s, lists, ours(pageSize))
			require.Empty(t, difference(theirs, text), "%s", s)
			for meeting, times := range met {
				all[meeting] += times
			}
		})
	}
	for _, meeting := range meetings() {
		require.NotZero(t, all[meeting], "no script has %s; there are: %v", meeting, all)
	}
}

// meetings are the faults that each kind of request can meet.
func meetings() (all []string) {
	for kind, gets := range inFront {
		for _, request := range []string{listing, watching, streaming} {
			if gets(request) {
				all = append(all, fmt.Sprintf("%s: %s", request, kind))
			}
		}
	}
	for _, kind := range faults.Kinds {
		if kind == faults.Stall {
			continue
		}
		for _, request := range []string{listing, watching, streaming} {
			if request != listing || (faults.Written{{Kind: kind}}).Faults(0, faults.List) != nil {
				all = append(all, fmt.Sprintf("%s: %s", request, kind))
			}
		}
	}
	return all
}

// difference is where two ledgers part, with what both say before and each says then; "" where they don't.
func difference(theirs, ours string) string {
	if theirs == ours {
		return ""
	}
	a, b := strings.Split(theirs, "\n"), strings.Split(ours, "\n")
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	shown := func(lines []string, from, to int) string {
		return strings.Join(lines[max(from, 0):min(to, len(lines))], "\n") + "\n"
	}
	return fmt.Sprintf("both:\n%supstream:\n%sours:\n%s",
		shown(a, same-8, same), shown(a, same, same+5), shown(b, same, same+5))
}
