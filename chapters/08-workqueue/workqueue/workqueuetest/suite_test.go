package workqueuetest

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// TestUpstream shows that client-go's own queue passes.
func TestUpstream(t *testing.T) { Run(t, workqueue.NewTypedRateLimitingQueue[string]) }

// fault is a queue with one fault, and the guarantee that the suite says it breaks.
type fault struct {
	queue  New
	breaks string
}

var faults = map[string]fault{
	"no sets":              {inLine(touched((*line).Push)), "an item that is added often before"},
	"done when handed out": {changing(doneWhenHandedOut), "an item is never with two workers"},
	"deaf while it works":  {changing(deafWhileItWorks), "an item that is added while a worker has it"},
	"once and for all":     {changing(onceAndForAll), "an item that is added after Done"},
	"again and again":      {changing(againAndAgain), "what nobody has added again"},
	"one at a time":        {changing(oneAtATime), "while a worker has an item others get"},
	"last in, first out":   {inLine(lastFirst), "items are handed out in the order"},
	"to the end":           {inLine(touched((*line).toTheEnd)), "an item that is added again keeps its place"},
	"does not wait":        {changing(doesNotWait), "Get waits, and each add goes"},
	"looks now and then":   {changing(looksNowAndThen), "Get waits, and each add goes"},
	"counts what is processed": {changing(countsWhatIsProcessed),
		"Len counts what can be handed out now"},
	"late":                 {changing(delayed(plusMillisecond)), "AddAfter adds when the delay is over"},
	"early":                {changing(delayed(minusMillisecond)), "AddAfter adds when the delay is over"},
	"never at once":        {changing(delayed(atLeastAMillisecond)), "AddAfter without a delay"},
	"a timer for each":     {changing(timerForEach), "of several times for one item the earliest"},
	"the latest time":      {changing(latestTime), "of several times for one item the earliest"},
	"one after the other":  {changing(oneAfterTheOther), "items come in the order of their times"},
	"adds are failures":    {changing(addsAreFailures), "Add and AddAfter do not ask"},
	"unlimited":            {changing(unlimited), "AddRateLimited adds when the limiter says so"},
	"unforgetting":         {changing(unforgetting), "Forget has the limiter begin anew"},
	"done is forgotten":    {changing(doneIsForgotten), "NumRequeues counts the failures"},
	"over at once":         {changing(overAtOnce), "what is in the queue at ShutDown"},
	"over later":           {changing(overLater), "ShutDown wakes all who wait"},
	"takes more":           {changing(takesMore), "after ShutDown nothing is added"},
	"does not drain":       {changing(doesNotDrain), "ShutDownWithDrain returns when"},
	"drains what is later": {changing(drainsWhatIsLater), "ShutDownWithDrain drops what waits"},
	"drains on":            {changing(drainsOn), "ShutDown calls off a ShutDownWithDrain"},
	"looks, then does":     {changing(looksThenDoes), "concurrent"},
}

// TestRejects shows that the suite finds each fault, and says what was expected and what happened.
func TestRejects(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				wrong := fault.play(t)
				require.NotEmpty(t, wrong, "the suite accepts this queue")
				require.Contains(t, wrong, "\nexpected ")
				require.Contains(t, wrong, "\nhappened ")
			})
		})
	}
}

// play gives the queue to the part of the suite that it breaks.
func (f fault) play(t *testing.T) (wrong string) {
	if f.breaks == "concurrent" {
		return concurrent(f.queue)
	}
	broken := slices.DeleteFunc(slices.Clone(sentences), func(s sentence) bool {
		return !strings.HasPrefix(s.says, f.breaks)
	})
	require.Len(t, broken, 1, "sentences that begin so: %s", f.breaks)
	return broken[0].play(f.queue)
}

// TestCase gives a queue that leaves a goroutine behind to the suite, in a process of its own: it would stay in this
// one.
func TestCase(t *testing.T) {
	if os.Getenv("WORKQUEUETEST_CASE") != "" {
		Run(t, changing(leavesGoroutine))
	}
}

func TestRejectsWhatLeavesGoroutine(t *testing.T) {
	suite := exec.Command(os.Args[0], "-test.run=^TestCase$", "-test.timeout=2m")
	suite.Env = append(os.Environ(), "WORKQUEUETEST_CASE=1")
	out, err := suite.CombinedOutput()
	require.Error(t, err, "the suite accepts this queue")
	require.Contains(t, string(out), "--- FAIL: TestCase/guarantees/a_queue_that_was_shut_down_leaves_no_goroutine")
	require.Contains(t, string(out), "goroutines were left in the bubble")
}
