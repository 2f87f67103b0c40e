package informertest

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) {
	// The second handler sleeps for 27 years of virtual time in a bubble.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	testkit.Main(m)
}

// TestUpstream shows that client-go's own informer passes.
func TestUpstream(t *testing.T) { Run(t, cache.NewSharedIndexInformerWithOptions) }

// TestTyped shows that what generated factories hand out keeps the promises of what is inside.
func TestTyped(t *testing.T) {
	Run(t, func(lw cache.ListerWatcher, example runtime.Object,
		o cache.SharedIndexInformerOptions) cache.SharedIndexInformer {
		i := cache.NewSharedIndexInformerWithOptions(lw, example, o)
		return cache.NewTypedSharedIndexInformer[*corev1.ConfigMap](i)
	})
}

// fault is an informer with one fault, and the guarantee that the suite says it breaks.
type fault struct {
	informer New
	breaks   string
}

var faults = map[string]fault{
	"deaf to updates": {telling(func(listener) told { return told{update: func(_, _ any) {}} }),
		"guarantees/every_handler_hears_of_every_object"},
	"old is new": {telling(func(h listener) told {
		return told{update: func(_, obj any) { h.OnUpdate(obj, obj) }}
	}), "guarantees/every_handler_hears_of_every_object"},
	"nothing is initial": {initially(func(h listener, obj any) { h.OnAdd(obj, false) }),
		"guarantees/adds_before_the_sync_are_of_the_initial_list"},
	"everything is initial": {telling(func(h listener) told {
		return told{add: func(obj any, _ bool) { h.OnAdd(obj, true) }}
	}), "guarantees/adds_before_the_sync_are_of_the_initial_list"},
	"late and ignorant":        {late(onlyNews), "guarantees/a_handler_that_joins_late_hears_of_each_object_once"},
	"late and twice":           {late(twice), "guarantees/a_handler_that_joins_late_hears_of_each_object_once"},
	"deaf while joining":       {from(deafWhileJoining), "concurrent"},
	"parallel":                 {telling(parallel), "guarantees/one_handler_is_called_by_one_call_at_a_time"},
	"one handler at a time":    {from(oneAtATime), "guarantees/a_blocked_handler_delays_neither"},
	"the latest":               {buffering(latest), "guarantees/a_blocked_handler_delays_neither"},
	"backwards":                {buffering(backwards), "guarantees/a_handler_that_is_busy_meanwhile"},
	"writes later":             {writesLater, "guarantees/the_store_and_its_indexes_have_what_a_handler"},
	"two stores":               {from(hasTwoStores), "guarantees/nothing_is_stored_and_nobody_is_told"},
	"a list in pieces":         {listing(func(cache.Deltas) {}), "guarantees/a_list_is_in_the_store_before"},
	"gone last":                {listing(slices.Reverse), "guarantees/after_a_re-list_handlers_are_told_first"},
	"tombstones opened":        {telling(stale), "guarantees/a_deletion_that_nobody_saw_is_a_tombstone"},
	"tombstones are empty":     {telling(stateless), "guarantees/a_deletion_that_nobody_saw_is_a_tombstone"},
	"the second is a stranger": {telling(apart), "guarantees/deleted_and_created_again_unseen"},
	"synced with the informer": {registering(func(w whole, r *registered) { r.synced = w.HasSyncedChecker() }),
		"guarantees/a_handler_has_synced_when_it_has_returned"},
	"synced from the start": {registering(func(_ whole, r *registered) { r.synced = always }),
		"guarantees/a_handler_that_joins_before_the_first_list_has_not_synced"},
	"synced when stopped": {from(overWhenStopped), "guarantees/nobody_has_synced_where_the_informer_was_stopped"},
	"never removed": {removing(func(whole, registration) error { return nil }),
		"guarantees/a_handler_that_was_removed_is_told_of_no_later"},
	"removed once":      {removingOnce(), "guarantees/to_remove_a_handler_again_does_nothing"},
	"removes strangers": {removing(removesWhatever), "guarantees/a_registration_that_no_informer_has_made"},
	"removes and waits": {removing(removesAndWaits), "guarantees/to_remove_a_handler_does_not_wait"},
	"has shut down before": {registering(func(_ whole, r *registered) { r.shutdown = always }),
		"guarantees/cache.ShutDownEventHandler_waits"},
	"leaking": {from(leaking), "guarantees/nothing_stays_behind_of_a_handler"},
	"resyncs for all": {asking(func(o *cache.HandlerOptions) { o.ResyncPeriod = nil }),
		"guarantees/a_handler_that_asks_hears_of_each_object_again"},
	"asks the server": {running(asksTheServer), "guarantees/a_handler_that_asks_hears_of_each_object_again"},
	"one period": {asking(func(o *cache.HandlerOptions) {
		if o.ResyncPeriod != nil && *o.ResyncPeriod > 0 {
			o.ResyncPeriod = nil
		}
	}), "guarantees/each_handler_has_its_own_period"},
	"in half a second": {asking(func(o *cache.HandlerOptions) {
		if o.ResyncPeriod != nil && *o.ResyncPeriod == 10*time.Millisecond {
			*o.ResyncPeriod = 2 * time.Second
		}
	}), "guarantees/no_period_is_shorter_than_a_second"},
	"transforms late":    {from(newTransformsLate), "guarantees/the_transformer_is_applied_before"},
	"set too late":       {from(newTooLate), "guarantees/after_the_start_settings"},
	"deaf to errors":     {from(newDeaf), "guarantees/who_listens_to_errors_hears"},
	"fixed indexes":      {from(newFixed), "guarantees/indexes_are_added_before_the_start"},
	"deaf to bookmarks":  {with(newUnmarked), "guarantees/the_store_has_the_versions"},
	"unstoppable":        {from(newUnstoppable), "guarantees/an_informer_stops_with_its_context"},
	"accepts handlers":   {from(acceptsHandlers), "guarantees/an_informer_stops_with_its_context"},
	"a second Run stays": {running(staysWithTheFirst), "guarantees/a_second_Run_does_nothing"},
	"returns at once":    {running(returnsAtOnce), "guarantees/Run_returns_when_the_last_call"},
	"calls again":        {telling(again), "guarantees/after_a_panic_of_a_handler"},
	"gives up":           {telling(givenUp), "guarantees/after_a_panic_of_a_handler"},
	"dies of a panic":    {dying, "guarantees/after_a_panic_of_an_index_function"},
}

// TestCase gives a broken informer to the suite, in a process of its own; without one it does nothing.
func TestCase(t *testing.T) {
	if fault, ok := faults[os.Getenv("INFORMERTEST_CASE")]; ok {
		Run(t, fault.informer)
	}
}

// TestRejects shows that the suite finds each fault, and says what was expected and what happened.
func TestRejects(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suite := exec.Command(os.Args[0], "-test.run=^TestCase$", "-test.timeout=2m")
			suite.Env = append(os.Environ(), "INFORMERTEST_CASE="+name)
			out, err := suite.CombinedOutput()
			require.Error(t, err, "the suite accepts this informer")
			require.Contains(t, string(out), "--- FAIL: TestCase/"+fault.breaks)
			require.Contains(t, string(out), "expected ")
			require.Contains(t, string(out), "happened ")
		})
	}
}
