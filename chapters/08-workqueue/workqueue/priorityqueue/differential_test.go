package priorityqueue_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientgo "k8s.io/client-go/util/workqueue"
	"pgregory.net/rapid"
	upstream "sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/priorityqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/workqueuetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// create makes a queue.
type create func(limiter clientgo.TypedRateLimiter[string]) upstream.PriorityQueue[string]

func ours(l clientgo.TypedRateLimiter[string]) upstream.PriorityQueue[string] {
	return priorityqueue.New(priorityqueue.Options[string]{RateLimiter: l})
}

func theirs(l clientgo.TypedRateLimiter[string]) upstream.PriorityQueue[string] {
	return upstream.New("", func(o *upstream.Opts[string]) { o.RateLimiter = l })
}

// Ours and controller-runtime's queue are given the same random operations, each in a bubble of its own. After each
// operation they have handed out the same with the same priorities, and say the same of themselves.
//
// The end is in no plan, since it is different on purpose: see differences_test.go.
func TestDifferential(t *testing.T) {
	happened := map[string]int{}
	for operations := 0; operations < 10_000; { // however few rapid was told to make
		rapid.Check(t, func(rt *rapid.T) {
			plan := rapid.SliceOfN(rapid.Custom(draw), 20, 120).Draw(rt, "plan")
			operations += len(plan)
			want := perform(t, theirs, plan)
			got := perform(t, ours, plan)
			for i, line := range want {
				if line != got[i] {
					rt.Fatalf("operation %d\nexpected %s\nhappened %s", i, line, got[i])
				}
				count(happened, line)
			}
		})
	}
	for _, what := range []string{"done again", "time brings", "others wait", "urgent", "not urgent"} {
		require.Greater(t, happened[what], 20, "%s; what happened how often: %v", what, happened)
	}
}

// count counts what is worth a comparison.
func count(happened map[string]int, line string) {
	operation, came, _ := strings.Cut(line, ": ")
	came, _, _ = strings.Cut(came, "; ")
	verb, _, _ := strings.Cut(operation, " ")
	for what, is := range map[string]bool{
		"done again":  verb == "done" && came != "",
		"time brings": strings.HasPrefix(verb, "time") && came != "",
		"others wait": verb == "get" && strings.Contains(came, "waits"),
		"urgent":      strings.Contains(came, " 7"),
		"not urgent":  strings.Contains(came, " -100"),
	} {
		if is {
			happened[what]++
		}
	}
}

var items = []string{"a", "b", "c", "d"}

// operation is one call, or some time that passes. A zero is as good as nothing.
type operation struct {
	Verb        string // add, get, done, forget or time
	Items       []string
	Priority    int // 1 is none
	After       time.Duration
	RateLimited bool
	Which       int // of the items that a worker has
}

// draw draws one.
func draw(t *rapid.T) (o operation) {
	o.Verb = rapid.SampledFrom(strings.Fields("add add add add add get get get get done done done forget time time")).
		Draw(t, "verb")
	o.Items = rapid.SliceOfN(rapid.SampledFrom(items), 1, 3).Draw(t, "items")
	o.Priority = rapid.SampledFrom([]int{-100, 0, 1, 1, 5, 7}).Draw(t, "priority")
	o.RateLimited = rapid.IntRange(0, 3).Draw(t, "limited") == 0
	o.After = time.Millisecond * time.Duration(rapid.SampledFrom([]int{0, 0, 0, -1, 1, 4, 40}).Draw(t, "after"))
	if o.After > 0 {
		o.Items = o.Items[:1] // several with the same moment come in another order: see differences_test.go
	}
	o.Which = rapid.IntRange(0, 9).Draw(t, "which")
	return o
}

// perform does what the plan says with a queue, and returns a line for each operation: what it did, what came of it,
// and what the queue says.
func perform(t *testing.T, create create, plan []operation) (log []string) {
	testkit.Bubble(t, func(*testing.T) {
		unequal := &moments{failures: map[string]int{}}
		queue := create(unequal)
		rig := workqueuetest.NewRig(queue)
		defer rig.End()
		var held []string
		for _, o := range plan {
			var came string
			switch did := o.Verb; did {
			case "add":
				options := upstream.AddOpts{RateLimited: o.RateLimited, After: unequal.of(o.After)}
				if o.Priority != 1 {
					options.Priority = &o.Priority
				}
				came = rig.Call(func() string { queue.AddWithOpts(options, o.Items...); return "" })
			case "get":
				came = rig.Call(func() string {
					item, priority, end := queue.GetWithPriority()
					return strings.TrimPrefix(fmt.Sprint(item, " ", priority, map[bool]string{true: "end"}[end]), " 0")
				})
			case "done":
				o.Items = o.Items[:1] // one that perhaps no worker has
				if len(held) > 0 {
					i := o.Which % len(held)
					o.Items = held[i : i+1]
				}
				item := o.Items[0]
				held = slices.DeleteFunc(held, func(i string) bool { return i == item })
				o.Items = []string{item}
				came = rig.Do("done " + item)
			case "forget":
				came = rig.Do("forget " + o.Items[0])
			case "time":
				came = rig.Do(fmt.Sprintf("%dms", 1+o.Which*o.Which))
			}
			for handed := range strings.SplitSeq(came, ", ") {
				if item, _, has := strings.Cut(handed, " "); has {
					held = append(held, item)
				}
			}
			said := fmt.Sprint(queue.Len())
			for _, item := range items {
				said += fmt.Sprint(" ", queue.NumRequeues(item))
			}
			log = append(log, fmt.Sprintf("%s %+v: %s; %s", o.Verb, o, came, said))
		}
	})
	return log
}

// moments has no two items wait for the same moment: each delay above zero has so many nanoseconds more as there were
// delays before it. It is a limiter, too.
type moments struct {
	lock     sync.Mutex // guards what is below it: who asks is a goroutine
	delays   time.Duration
	failures map[string]int
}

func (m *moments) of(delay time.Duration) time.Duration {
	m.lock.Lock()
	defer m.lock.Unlock()
	if delay > 0 {
		m.delays++
		delay += m.delays
	}
	return delay
}

func (m *moments) When(item string) time.Duration {
	delay := m.of(time.Millisecond << (m.NumRequeues(item) % 8))
	m.lock.Lock()
	defer m.lock.Unlock()
	m.failures[item]++
	return delay
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
