package workqueue_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	upstream "k8s.io/client-go/util/workqueue"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/workqueuetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// Ours and client-go's queue are given the same random operations, each in a bubble of its own. After each operation
// they have handed out the same, say the same of themselves, have measured the same, and have done the same with a line
// that they were given.
//
// What is different on purpose is not drawn: see differences_test.go.
func TestDifferential(t *testing.T) {
	happened := map[string]int{}
	for operations := 0; operations < 10_000; { // however few rapid was told to make
		rapid.Check(t, func(rt *rapid.T) {
			plan := rapid.SliceOfN(rapid.Custom(operation), 20, 120).Draw(rt, "plan")
			operations += len(plan)
			hasLine := rapid.Bool().Draw(rt, "has a line")
			want := perform(t, theirs, plan, hasLine)
			got := perform(t, ours, plan, hasLine)
			for i, line := range want {
				if line != got[i] {
					rt.Fatalf("operation %d\nexpected %s\nhappened %s", i, line, got[i])
				}
				count(happened, line)
			}
		})
	}
	for _, what := range []string{"done again", "time brings", "later", "after the end", "end waits", "unfinished",
		"touch"} {
		require.Greater(t, happened[what], 20, "%s; what happened how often: %v", what, happened)
	}
}

// count counts what is worth a comparison.
func count(happened map[string]int, line string) {
	operation, came, _ := strings.Cut(line, ": ")
	came, said, _ := strings.Cut(came, "; ")
	verb, _, _ := strings.Cut(operation, " ")
	for what, is := range map[string]bool{
		"done again":    verb == "done" && came != "",
		"time brings":   strings.HasSuffix(operation, "ms") && came != "",
		"later":         strings.HasSuffix(operation, "ms") && strings.Contains(line, "depth up"),
		"after the end": strings.Contains(said, "true") && verb == "get" && !strings.Contains(came, "end"),
		"end waits":     verb == "shutdown" && strings.Contains(came, "end"),
		"unfinished":    strings.Contains(line, "unfinished"),
		"touch":         strings.Contains(line, "touch"),
	} {
		if is {
			happened[what]++
		}
	}
}

// items are few, so that operations meet.
var items = []string{"a", "b", "c", "d"}

// operation draws one in the notation of [workqueuetest.Rig], but for done N: Done of the Nth item that a worker has.
func operation(t *rapid.T) string {
	verb := rapid.SampledFrom(strings.Fields("add add add get get get get done done done after after limited limited "+
		"forget time time time shutdown")).Draw(t, "verb")
	item := rapid.SampledFrom(items).Draw(t, "item")
	switch verb {
	case "get":
		return verb
	case "shutdown":
		if rapid.IntRange(0, 9).Draw(t, "really") > 0 {
			return "get"
		}
		return verb
	case "time":
		return fmt.Sprintf("%dms", rapid.SampledFrom([]int{1, 3, 10, 100, 600}).Draw(t, "milliseconds"))
	case "done":
		return fmt.Sprintf("done %d", rapid.IntRange(0, 9).Draw(t, "which"))
	case "after":
		return fmt.Sprintf("after %dms %s", rapid.SampledFrom([]int{-1, 0, 1, 2, 5, 40}).Draw(t, "delay"), item)
	}
	return verb + " " + item
}

// perform does what the plan says with a queue of these layers, and returns a line for each operation: what it did,
// what came of it, what the queue says, and what was measured.
func perform(t *testing.T, l layers, plan []string, hasLine bool) (log []string) {
	testkit.Bubble(t, func(*testing.T) {
		var measured recorder
		var unequal moments
		queue := l.measured(&unequal, &measured, hasLine)
		rig := workqueuetest.NewRig(queue)
		defer rig.End()
		var held []string
		for _, operation := range plan {
			verb, rest, _ := strings.Cut(operation, " ")
			switch {
			case verb == "done" && len(held) == 0:
				operation = "len"
			case verb == "done":
				i := int(rest[0]-'0') % len(held)
				operation = "done " + held[i]
				held = slices.Delete(held, i, i+1)
			case verb == "after":
				delay, item, _ := strings.Cut(rest, " ")
				operation = fmt.Sprintf("after %v %s", unequal.of(delay), item)
			}
			came := rig.Do(operation)
			for _, item := range strings.Split(came, ", ") {
				if slices.Contains(items, item) {
					held = append(held, item)
				}
			}
			said := fmt.Sprint(queue.Len(), queue.ShuttingDown())
			for _, item := range items {
				said += fmt.Sprint(" ", queue.NumRequeues(item))
			}
			log = append(log, fmt.Sprintf("%s: %s; %s; %s", operation, came, said, measured.news()))
		}
	})
	return log
}

// measured builds the layers, each with the recorder, and with a line of its own or the default one.
func (l layers) measured(limiter upstream.TypedRateLimiter[string], r *recorder,
	hasLine bool) upstream.TypedRateLimitingInterface[string] {
	config := upstream.TypedQueueConfig[string]{Name: "q", MetricsProvider: r}
	if hasLine {
		config.Queue = &observed{upstream.DefaultQueue[string](), r}
	}
	delaying := l.delaying(upstream.TypedDelayingQueueConfig[string]{Name: "q", MetricsProvider: r,
		Queue: l.queue(config)})
	return l.rateLimiting(limiter, upstream.TypedRateLimitingQueueConfig[string]{DelayingQueue: delaying})
}

// observed is a line that writes down what is done with it.
type observed struct {
	upstream.Queue[string]
	recorder *recorder
}

func (o *observed) Touch(item string) { o.recorder.write("touch " + item) }

func (o *observed) Push(item string) {
	o.recorder.write("push " + item)
	o.Queue.Push(item)
}

// moments has no two items wait for the same moment, whose order upstream leaves open: each delay above zero has so
// many nanoseconds more as there were delays before it. It is a limiter, too.
type moments struct {
	delays   time.Duration
	failures map[string]int
	lock     sync.Mutex // guards failures: who asks may be a goroutine
}

func (m *moments) of(text string) time.Duration {
	delay, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return m.unequal(delay)
}

func (m *moments) unequal(delay time.Duration) time.Duration {
	if delay <= 0 {
		return delay
	}
	m.delays++
	return delay + m.delays
}

func (m *moments) When(item string) time.Duration {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.failures == nil {
		m.failures = map[string]int{}
	}
	m.failures[item]++
	return m.unequal(time.Millisecond << (m.failures[item] % 8))
}

func (m *moments) Forget(item string) {
	m.lock.Lock()
	defer m.lock.Unlock()
	delete(m.failures, item)
}

func (m *moments) NumRequeues(item string) int {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.failures[item]
}

// recorder is a provider of metrics that writes down what is measured, and what else it is told.
type recorder struct {
	lock   sync.Mutex
	events []string
}

func (r *recorder) write(what string) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.events = append(r.events, what)
}

func (r *recorder) news() string {
	r.lock.Lock()
	defer r.lock.Unlock()
	events := r.events
	r.events = nil
	return strings.Join(events, ", ")
}

func (r *recorder) NewDepthMetric(string) upstream.GaugeMetric       { return metric{r, "depth"} }
func (r *recorder) NewAddsMetric(string) upstream.CounterMetric      { return metric{r, "adds"} }
func (r *recorder) NewLatencyMetric(string) upstream.HistogramMetric { return metric{r, "latency"} }
func (r *recorder) NewRetriesMetric(string) upstream.CounterMetric   { return metric{r, "retries"} }

func (r *recorder) NewWorkDurationMetric(string) upstream.HistogramMetric {
	return metric{r, "duration"}
}

func (r *recorder) NewUnfinishedWorkSecondsMetric(string) upstream.SettableGaugeMetric {
	return metric{r, "unfinished"}
}

func (r *recorder) NewLongestRunningProcessorSecondsMetric(string) upstream.SettableGaugeMetric {
	return metric{r, "longest"}
}

// metric is any of them.
type metric struct {
	recorder *recorder
	name     string
}

func (m metric) Inc()                    { m.write("up") }
func (m metric) Dec()                    { m.write("down") }
func (m metric) Set(seconds float64)     { m.write(fmt.Sprintf("%.3f", seconds)) }
func (m metric) Observe(seconds float64) { m.write(fmt.Sprintf("%.9f", seconds)) }

func (m metric) write(what string) { m.recorder.write(m.name + " " + what) }
