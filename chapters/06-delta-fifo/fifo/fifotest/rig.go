package fifotest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing/synctest"

	"k8s.io/client-go/tools/cache"
)

var errProcess = errors.New("process failed")

// rig is one queue in a bubble, and what came of operations on it.
type rig struct {
	queue cache.Queue
	known *known

	lock  sync.Mutex
	seen  []string // what process was given, in order
	ended []string // how Pops ended
	pops  int      // under way
	gate  chan struct{}
}

func (f queueFunc) rig(s setup) *rig {
	known := &known{}
	return &rig{queue: f(s, known), known: known}
}

// end lets go who still waits.
func (r *rig) end() {
	r.open()
	r.queue.Close()
}

// do does one operation, waits until nothing happens any more, and returns what came of it. Operations are:
//
//	Add, Update, Delete OBJECT    Replace VERSION OBJECTS    Bookmark VERSION    Resync    Close
//	Pop, PopBatch                 waits in the background, and processes
//	Pop failing, Pop gated        processes with an error, or until Open; the same for PopBatch
//	know OBJECTS                  these are known now
//	HasSynced, Done               what the queue says
func (r *rig) do(operation string) string {
	came := r.call(strings.Fields(operation))
	synctest.Wait()
	return strings.Join(append(came, r.look()...), "; ")
}

// call makes the call, and returns what it returns.
func (r *rig) call(fields []string) []string {
	verb, args, q := fields[0], fields[1:], r.queue
	switch verb {
	case "Add", "Update", "Delete":
		method := map[string]func(any) error{"Add": q.Add, "Update": q.Update, "Delete": q.Delete}[verb]
		return []string{outcome(method(parse(args[0])))}
	case "Replace":
		return []string{outcome(q.Replace(parseAll(args[1:]), args[0]))}
	case "Resync":
		what, _, _ := strings.Cut(outcome(q.Resync()), ":") // whichever object has no key
		return []string{what}
	case "Bookmark":
		return []string{outcome(q.(cache.ReflectorBookmarkStore).Bookmark(args[0]))}
	case "HasSynced":
		return []string{fmt.Sprint(q.HasSynced())}
	case "Done":
		return []string{fmt.Sprint(r.isDone())}
	case "Close":
		q.Close()
	case "know":
		r.known.texts = args
	case "Open":
		r.open()
	case "Pop", "PopBatch":
		r.pops++
		r.gate = make(chan struct{})
		go r.pop(verb, strings.Join(args, ""), r.gate)
	default:
		panic("no operation: " + verb)
	}
	return nil
}

func (r *rig) pop(verb, how string, gate chan struct{}) {
	var processed cache.Deltas
	single := func(obj any, isInInitialList bool) error {
		processed = obj.(cache.Deltas)
		return r.process(describe(processed), isInInitialList, how, gate)
	}
	batch := func(deltas []cache.Delta, isInInitialList bool) error {
		return r.process("["+describeAll(deltas, ", ")+"]", isInInitialList, how, gate)
	}
	var returned any
	var err error
	if verb == "Pop" {
		returned, err = r.queue.Pop(single)
	} else {
		err = r.queue.(cache.QueueWithBatch).PopBatch(batch, single)
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.pops--
	if err != nil {
		r.ended = append(r.ended, outcome(err))
	}
	if returned != nil && describe(returned) != describe(processed) {
		r.ended = append(r.ended, "returned "+describe(returned))
	}
}

func (r *rig) process(what string, isInInitialList bool, how string, gate chan struct{}) error {
	if isInInitialList {
		what += " in initial list"
	}
	if r.isDone() {
		what += " when done"
	}
	r.lock.Lock()
	r.seen = append(r.seen, what)
	r.lock.Unlock()
	switch how {
	case "gated":
		<-gate
	case "failing":
		return errProcess
	}
	return nil
}

// open lets the latest Pop go.
func (r *rig) open() {
	if r.gate != nil {
		close(r.gate)
		r.gate = nil
	}
}

func (r *rig) isDone() bool {
	select {
	case <-r.queue.HasSyncedChecker().Done():
		return true
	default:
		return false
	}
}

// look returns what has come since the last look. In which order several Pops end is nobody's business.
func (r *rig) look() []string {
	r.lock.Lock()
	defer r.lock.Unlock()
	slices.Sort(r.ended)
	news := append(r.seen, r.ended...)
	if r.pops > 0 {
		news = append(news, fmt.Sprintf("%d under way", r.pops))
	}
	r.seen, r.ended = nil, nil
	return news
}
