package scenario

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Record is what the workers did, by the object's name. It is safe for concurrent use.
type Record struct {
	lock sync.Mutex // guards what is below it
	keys map[string]*history
	gate chan struct{} // what a run that begins waits for; nil: nothing
}

// history is that of one key.
type history struct {
	adds         int
	asked        time.Time // of the first add since a run began; zero: none
	runs         []Run     // in the order in which they began
	inside, most int
}

// Run is one run of a worker with a key.
type Run struct {
	// Version and Write are what the run read: the resourceVersion, and the number of the write.
	Version, Write string
	// Waited is the time from the first add that the run is for. It is zero for what a handler has not added.
	Waited time.Duration
	// Began and Ended are when. Ended is zero while it runs.
	Began, Ended time.Time
	// Err is why it failed.
	Err error
}

func (r *Record) of(key Key) *history {
	h := r.keys[key.Name]
	if h == nil {
		h = &history{}
		r.keys[key.Name] = h
	}
	return h
}

func (r *Record) added(key Key) {
	r.lock.Lock()
	defer r.lock.Unlock()
	h := r.of(key)
	h.adds++
	if h.asked.IsZero() {
		h.asked = time.Now()
	}
}

// Hold has no run end that begins before Release is called.
func (r *Record) Hold() {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.gate = make(chan struct{})
}

// Release ends Hold, if there was one.
func (r *Record) Release() {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.gate != nil {
		close(r.gate)
		r.gate = nil
	}
}

// begin notes that a run begins. It returns the run's number, and what it waits for before it ends.
func (r *Record) begin(key Key, object *corev1.ConfigMap) (number int, gate <-chan struct{}) {
	r.lock.Lock()
	defer r.lock.Unlock()
	h := r.of(key)
	run := Run{Began: time.Now()}
	if object != nil {
		run.Version, run.Write = object.ResourceVersion, object.Data["write"]
	}
	if !h.asked.IsZero() {
		run.Waited, h.asked = time.Since(h.asked), time.Time{}
	}
	h.runs = append(h.runs, run)
	h.inside++
	h.most = max(h.most, h.inside)
	return len(h.runs) - 1, r.gate
}

func (r *Record) end(key Key, number int, err error) Run {
	r.lock.Lock()
	defer r.lock.Unlock()
	h := r.of(key)
	h.inside--
	h.runs[number].Ended, h.runs[number].Err = time.Now(), err
	return h.runs[number]
}

// Adds is how often a handler has added a key.
func (r *Record) Adds(name string) int {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.of(Key{Name: name}).adds
}

// Runs are the runs of a key that have begun.
func (r *Record) Runs(name string) []Run {
	r.lock.Lock()
	defer r.lock.Unlock()
	return append([]Run(nil), r.of(Key{Name: name}).runs...)
}

// Most is how many workers had a key at the same time, at most.
func (r *Record) Most(name string) int {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.of(Key{Name: name}).most
}

// Inside is how many workers have a key now; without a name, how many have any.
func (r *Record) Inside(names ...string) int {
	r.lock.Lock()
	defer r.lock.Unlock()
	n := 0
	for name, h := range r.keys {
		if len(names) == 0 || name == names[0] {
			n += h.inside
		}
	}
	return n
}

// Total is how often handlers have added keys, and how many runs have begun.
func (r *Record) Total() (adds, runs int) {
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, h := range r.keys {
		adds += h.adds
		runs += len(h.runs)
	}
	return adds, runs
}
