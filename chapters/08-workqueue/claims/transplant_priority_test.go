package claims

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"
	ctrlpriority "sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/priorityqueue"
)

// handing is a queue with priorities that tells what it hands out.
type handing struct {
	ctrlpriority.PriorityQueue[ctrlRequest]
	out chan<- entry
}

func (q handing) GetWithPriority() (ctrlRequest, int, bool) {
	item, priority, shutdown := q.PriorityQueue.GetWithPriority()
	if !shutdown {
		q.out <- entry{item.Name, priority}
	}
	return item, priority, shutdown
}

// answer is what Reconcile returns.
type answer struct {
	result reconcile.Result
	err    error
}

// TestAControllerUsesOurPriorities has one worker, and says for each call what it returns. controller-runtime's
// handlers see that our queue has priorities: what they add for the initial list is less urgent than a change. An
// error, or a wait, keeps the priority of an item; Result.Priority gives it another.
func TestAControllerUsesOurPriorities(t *testing.T) {
	ctrllog.SetLogger(logr.Discard())
	out, answers := make(chan entry), make(chan answer)
	m := newManaged(t, 1, workqueue.NewExponential[ctrlRequest](0, 0), func(l ctrlLimiter) ctrlQueue {
		return handing{priorityqueue.New(priorityqueue.Options[ctrlRequest]{RateLimiter: l}), out}
	})
	names := m.puts("there", 4)
	stop := m.start(func(context.Context, ctrlRequest, int) (reconcile.Result, error) {
		a := <-answers
		return a.result, a.err
	})
	low := func(name string) entry { return entry{name, handler.LowPriority} }

	first := <-out
	m.ledger.until(t, "all were added", func() bool { return len(m.ledger.added) == len(names) })
	var initial, left []entry
	for _, name := range names {
		initial = append(initial, low(name))
	}
	require.ElementsMatch(t, initial, m.ledger.added)
	for _, a := range m.ledger.added {
		if a != first {
			left = append(left, a)
		}
	}
	require.Equal(t, handler.LowPriority, first.priority)

	changed := entry{left[2].name, 0} // it would be the last
	m.put(changed.name, "2")
	m.ledger.until(t, "the change was added", func() bool { return len(m.ledger.added) == len(names)+1 })

	failed := errors.New("not yet")
	for _, next := range []struct {
		answer answer
		then   entry
	}{
		{answer{reconcile.Result{Priority: ptr.To(7)}, failed}, entry{first.name, 7}},
		{answer{}, changed},
		{answer{err: failed}, changed}, // with the priority that it had
		{answer{}, left[0]},
		{answer{err: failed}, left[1]}, // behind those of its priority
		{answer{}, left[0]},
		{answer{result: reconcile.Result{RequeueAfter: time.Millisecond}}, left[0]},
		{answer{result: reconcile.Result{RequeueAfter: time.Millisecond, Priority: ptr.To(3)}}, entry{left[0].name, 3}},
	} {
		answers <- next.answer
		require.Equal(t, next.then, <-out)
	}
	answers <- answer{}
	stop(func() {})
}
