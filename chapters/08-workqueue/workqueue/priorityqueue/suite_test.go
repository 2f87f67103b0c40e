package priorityqueue_test

import (
	"maps"
	"testing"

	clientgo "k8s.io/client-go/util/workqueue"
	upstream "sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/priorityqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/workqueuetest"
)

// What a workqueue promises, and one with priorities does not, ours as little as controller-runtime's.
const (
	oneEntry  = "an item is in the queue once: it waits for its time, or it is ready"
	ownPlace  = "an item has its place from the moment when it was added, wherever it is meanwhile"
	isCounted = "what was added again is ready, and whether a worker has it makes no difference to Len"
)

var withPriorities = map[string]string{
	"an item that waits for its time can be added now, and comes again at its time":           oneEntry,
	"AddAfter of an item that is in the line adds it again at its time":                       oneEntry,
	"what was added while a worker had it joins the line at its end when that worker is done": ownPlace,
	"Len does not count what was added while a worker has it":                                 isCounted,
}

// What ours promises, and controller-runtime's does not, which is shut down when its program ends.
const (
	drops    = "Get returns nothing after ShutDown, whatever is in the queue"
	noDrain  = "ShutDownWithDrain is ShutDown"
	shutOnce = "ShutDown closes a channel, and to close it again panics"
)

var ofControllerRuntime = map[string]string{
	"what is in the queue at ShutDown is still handed out, and nothing after it": drops,
	"what was added while a worker had it is still handed out after ShutDown":    drops,
	"to shut down again does nothing":                                            shutOnce,
	"ShutDownWithDrain returns when all who process are done":                    noDrain,
	"a queue that drains hands out what is in it, and takes nothing":             noDrain,
	"ShutDown calls off a ShutDownWithDrain":                                     noDrain,
	"ShutDownWithDrain drops what waits for its time, and does not wait for it":  noDrain,
}

// TestSuite gives our queue with priorities to the suite for those without.
func TestSuite(t *testing.T) {
	workqueuetest.RunExcept(t, func(l clientgo.TypedRateLimiter[string]) clientgo.TypedRateLimitingInterface[string] {
		return priorityqueue.New(priorityqueue.Options[string]{RateLimiter: l})
	}, withPriorities)
}

// TestSuiteOfUpstream gives controller-runtime's to it.
func TestSuiteOfUpstream(t *testing.T) {
	exceptions := maps.Clone(withPriorities)
	maps.Copy(exceptions, ofControllerRuntime)
	workqueuetest.RunExcept(t, func(l clientgo.TypedRateLimiter[string]) clientgo.TypedRateLimitingInterface[string] {
		return upstream.New("", func(o *upstream.Opts[string]) { o.RateLimiter = l })
	}, exceptions)
}
