package fifotest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) {
	// The second handler sleeps for 27 years of virtual time in a bubble.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	testkit.Main(m)
}

// TestUpstreamsDeltaFIFO and the next show that client-go's own queues pass.
func TestUpstreamsDeltaFIFO(t *testing.T) { Delta(t, upstreamDelta) }

func TestUpstreamsRealFIFO(t *testing.T) { Real(t, upstreamReal) }

// fault is a queue with one fault, and the guarantee that the suite says it breaks.
type fault struct {
	queue  func(w whole, known *known) cache.Queue
	breaks string
}

var deltaFaults = map[string]fault{
	"last two":              {changing(lastTwo), "a_key's_deltas_come_together"},
	"latest":                {changing(latest), "a_key's_deltas_come_together"},
	"swallowed history":     {changing(swallowed), "a_key's_deltas_come_together"},
	"only queued":           {newOnlyQueued, "what_is_deleted_in_the_first_Replace_belongs"},
	"only known":            {newOnlyKnown, "Replace_deletes_what_is_queued,_with_its_last_state"},
	"stateless tombstone":   {changing(mapped(stateless)), "Replace_deletes_what_is_queued"},
	"early":                 {newEarly, "the_first_batch_is_that_of_the_first_Replace"},
	"late":                  {newLate, "the_first_batch_is_empty"},
	"one waiter":            {newOneWaiter, "each_of_several_Pops_that_wait"},
	"sleeping":              {newSleeping, "Pop_waits_until_there_is_something"},
	"forgetful":             {newForgetful, "what_is_in_a_closed_queue_is_still_popped"},
	"requeueing":            {newRequeueing, "what_was_popped_does_not_come_back"},
	"sync after a deletion": {newResyncing, "a_resync_says_nothing_on_top_of_a_deletion"},
	"unlocked":              {newUnlocked, "process_runs_under_the_lock"},
}

var realFaults = map[string]fault{
	"only queued":         {newOnlyQueued, "Replace_says_first_what_is_gone"},
	"only known":          {newOnlyKnown, "Replace_says_first_what_is_gone"},
	"stateless tombstone": {changing(mapped(stateless)), "Replace_says_first_what_is_gone"},
	"useless deletions": {func(w whole, _ *known) cache.Queue { return popping{w, mapped(uselessDeletions())} },
		"deletions_of_what_nobody_knows"},
	"early":      {newEarly, "nothing_has_synced_before_the_first_batch_is_processed"},
	"on pop":     {newOnPop, "nothing_has_synced_before_the_first_batch_is_processed"},
	"late":       {newLate, "the_first_batch_is_empty"},
	"one waiter": {newOneWaiter, "each_of_several_Pops_that_wait"},
	"sleeping":   {newSleeping, "Pop_waits_until_there_is_something"},
	"single":     {newSingle, "a_batch_has_different_keys"},
	"backwards":  {newBackwards, "a_batch_has_different_keys"},
	"plural":     {newPlural, "a_batch_has_different_keys"},
	"deaf":       {newDeaf, "a_bookmark_is_an_event"},
	"unlocked":   {newUnlocked, "process_runs_under_the_lock"},
	"a DeltaFIFO": {func(whole, *known) cache.Queue {
		return single{whole{cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KeyFunction: key})}}
	}, "process_runs_without_the_lock"},
	"locked": {nil, "process_runs_without_the_lock"},
}

// TestCase gives a broken queue to the suite, in a process of its own; without one it does nothing.
func TestCase(t *testing.T) {
	kind, name, _ := strings.Cut(os.Getenv("FIFOTEST_CASE"), ": ")
	switch kind {
	case "DeltaFIFO":
		Delta(t, func(o cache.DeltaFIFOOptions) cache.Queue {
			return deltaFaults[name].queue(whole{upstreamDelta(o)}, asKnown(o.KnownObjects))
		})
	case "RealFIFO":
		Real(t, func(o cache.RealFIFOOptions) cache.QueueWithBatch {
			if name == "locked" {
				o.UnlockWhileProcessing = false
				return upstreamReal(o)
			}
			queue := realFaults[name].queue(whole{upstreamReal(o)}, asKnown(o.KnownObjects))
			return queue.(cache.QueueWithBatch)
		})
	}
}

func asKnown(objects cache.KeyListerGetter) *known {
	if objects == nil {
		return &known{}
	}
	return objects.(*known)
}

// TestRejects shows that the suite finds each fault, and says what was expected and what happened.
func TestRejects(t *testing.T) {
	for kind, faults := range map[string]map[string]fault{"DeltaFIFO": deltaFaults, "RealFIFO": realFaults} {
		for name, fault := range faults {
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				suite := exec.Command(os.Args[0], "-test.run=^TestCase$", "-rapid.nofailfile", "-test.timeout=2m")
				suite.Env = append(os.Environ(), "FIFOTEST_CASE="+kind+": "+name)
				out, err := suite.CombinedOutput()
				require.Error(t, err, "the suite accepts this queue")
				require.Contains(t, string(out), "--- FAIL: TestCase/guarantees/"+fault.breaks)
				require.Contains(t, string(out), "expected ")
				require.Contains(t, string(out), "happened ")
			})
		}
	}
}
