package scenario

import (
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
)

// Line is a controller's queue, and knows whether the controller rests.
type Line struct {
	managed.Queue
	sent  func() int // how many requests the controller has sent
	asked func()

	lock    sync.Mutex // guards the rest
	added   int
	waits   map[reconcile.Request]bool
	later   map[reconcile.Request]bool // after a failure
	working int
	before  int  // requests, when the last run began
	idle    bool // the last run has sent none
	runs    int
}

// NewLine makes one over another queue. asked is called when a worker asks it for a key the first time: the keys of all
// that was there before are in it by then.
func NewLine(over managed.Queue, sent func() int, asked func()) *Line {
	return &Line{Queue: over, sent: sent, asked: sync.OnceFunc(asked), waits: map[reconcile.Request]bool{},
		later: map[reconcile.Request]bool{}}
}

// Added is how often a key was added, by an event.
func (l *Line) Added() int {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.added
}

// Runs is how many have ended.
func (l *Line) Runs() int {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.runs
}

// Rests says whether nothing is to be done: there is no key, or the only ones are those of runs that failed and sent
// nothing, and that fail again until the cache has shown more.
func (l *Line) Rests() bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.working == 0 && len(l.waits) == 0 && (len(l.later) == 0 || l.idle)
}

// Add implements workqueue.TypedInterface.
func (l *Line) Add(item reconcile.Request) {
	l.lock.Lock()
	l.added++
	l.waits[item] = true
	l.lock.Unlock()
	l.Queue.Add(item)
}

// AddRateLimited implements workqueue.TypedRateLimitingInterface.
func (l *Line) AddRateLimited(item reconcile.Request) {
	l.lock.Lock()
	l.later[item] = true
	l.lock.Unlock()
	l.Queue.AddRateLimited(item)
}

// Get implements workqueue.TypedInterface.
func (l *Line) Get() (item reconcile.Request, shutdown bool) {
	l.asked()
	item, shutdown = l.Queue.Get()
	l.lock.Lock()
	defer l.lock.Unlock()
	if shutdown {
		return item, shutdown
	}
	delete(l.waits, item)
	delete(l.later, item)
	l.working++
	l.before = l.sent()
	return item, false
}

// Done implements workqueue.TypedInterface.
func (l *Line) Done(item reconcile.Request) {
	l.lock.Lock()
	l.working--
	l.runs++
	l.idle = l.sent() == l.before
	l.lock.Unlock()
	l.Queue.Done(item)
}
