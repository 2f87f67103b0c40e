package workqueuetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// Rig is a queue in a bubble, and those who call it.
type Rig struct {
	queue  workqueue.TypedRateLimitingInterface[string]
	isDown bool // somebody has shut it down

	lock  sync.Mutex
	calls int      // under way
	came  []string // what calls returned since the last look
}

// NewRig is called in the queue's bubble.
func NewRig(queue workqueue.TypedRateLimitingInterface[string]) *Rig { return &Rig{queue: queue} }

// Do does one operation, waits until nothing happens any more, and returns what came of it, and of earlier operations:
//
//	add ITEMS, after DELAY ITEMS, limited ITEMS    Add, AddAfter, AddRateLimited, one after the other
//	done ITEM, forget ITEM                         Done, Forget
//	get                    the item that Get hands out, or "end"
//	shutdown               ShutDown
//	drain                  ShutDownWithDrain, and "drained" when it returns
//	len, requeues ITEM     what the queue says
//	shutting               whether the queue says that it is shutting down
//	DURATION               so much time passes
//
// A call that has not returned waits, and what it returns comes later.
func (r *Rig) Do(operation string) string {
	fields := strings.Fields(operation)
	if d, err := time.ParseDuration(fields[0]); err == nil {
		time.Sleep(d)
		return r.look()
	}
	r.isDown = r.isDown || fields[0] == "shutdown" || fields[0] == "drain"
	return r.Call(func() string { return r.call(fields[0], fields[1:]) })
}

// Call is Do for an operation that has no name.
func (r *Rig) Call(call func() (came string)) string {
	returned := false
	r.lock.Lock()
	r.calls++
	r.lock.Unlock()
	go func() {
		came := call()
		r.lock.Lock()
		defer r.lock.Unlock()
		r.calls--
		returned = true
		if came != "" {
			r.came = append(r.came, came)
		}
	}()
	synctest.Wait()
	if !returned {
		return strings.TrimPrefix(r.look()+", waits", ", ")
	}
	return r.look()
}

// look returns what has come since the last look. Who of several came first is nobody's business.
func (r *Rig) look() string {
	synctest.Wait()
	r.lock.Lock()
	defer r.lock.Unlock()
	slices.Sort(r.came)
	news := strings.Join(r.came, ", ")
	r.came = nil
	return news
}

// call makes one call, and returns what it returns.
func (r *Rig) call(verb string, args []string) (came string) {
	defer func() {
		if p := recover(); p != nil {
			came = fmt.Sprintf("%s panics: %v", verb, p)
		}
	}()
	q := r.queue
	switch verb {
	case "add":
		each(q.Add, args)
	case "after":
		delay, err := time.ParseDuration(args[0])
		if err != nil {
			panic(err)
		}
		each(func(item string) { q.AddAfter(item, delay) }, args[1:])
	case "limited":
		each(q.AddRateLimited, args)
	case "done":
		each(q.Done, args)
	case "forget":
		each(q.Forget, args)
	case "get":
		if item, shutdown := q.Get(); !shutdown {
			return item
		}
		return "end"
	case "shutdown":
		q.ShutDown()
	case "drain":
		q.ShutDownWithDrain()
		return "drained"
	case "len":
		return fmt.Sprint(q.Len())
	case "requeues":
		return fmt.Sprint(q.NumRequeues(args[0]))
	case "shutting":
		return fmt.Sprint(q.ShuttingDown())
	default:
		panic("no operation: " + verb)
	}
	return ""
}

func each(f func(item string), items []string) {
	for _, item := range items {
		f(item)
	}
}

// End lets go who still waits, and gives goroutines that look now and then the time to do so.
func (r *Rig) End() {
	r.lock.Lock()
	calls := r.calls
	r.lock.Unlock()
	if !r.isDown || calls > 0 {
		r.call("shutdown", nil)
	}
	time.Sleep(time.Minute)
}

// seconds is a limiter: an item waits a second after its first failure, and one second more after each further one.
type seconds struct {
	lock     sync.Mutex
	failures map[string]int
}

func (s *seconds) When(item string) time.Duration {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.failures[item]++
	return time.Duration(s.failures[item]) * time.Second
}

func (s *seconds) Forget(item string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	delete(s.failures, item)
}

func (s *seconds) NumRequeues(item string) int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.failures[item]
}
