package kubelet

import (
	"errors"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// poll is how long something is left alone that nobody tells of.
const poll = 200 * time.Millisecond

// watches are the runs whose ends are waited for, each by one goroutine.
type watches struct {
	works   sync.WaitGroup
	lock    sync.Mutex // guards what follows
	runs    map[machine.Run]bool
	stopped bool
}

// begin has a goroutine watch a run if none does.
func (w *watches) begin(run machine.Run, watch func()) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.stopped || w.runs[run] {
		return
	}
	w.runs[run] = true
	w.works.Go(watch)
}

// end says that a run is watched no longer.
func (w *watches) end(run machine.Run) {
	w.lock.Lock()
	defer w.lock.Unlock()
	delete(w.runs, run)
}

// stop returns when all watches have ended. None begins any more.
func (w *watches) stop() {
	w.lock.Lock()
	w.stopped = true
	w.lock.Unlock()
	w.works.Wait()
}

// watch waits for the end of a run, in the background, and tells of it. It is called after the state of the run is
// kept: then the watch that is there, or the one that begins, finds the object.
//
// Upstream's counterpart are the PLEGs, pkg/kubelet/pleg/generic.go, which lists all containers once a second, and
// evented.go, which hears of them from the runtime.
func (k *Kubelet) watch(run machine.Run) {
	k.watches.begin(run, func() {
		seen, err := k.machine.Wait(k.ctx, run)
		for err != nil && k.ctx.Err() == nil && !errors.Is(err, machine.ErrGone) {
			select {
			case <-k.Clock.After(time.Second):
			case <-k.ctx.Done():
			}
			seen, err = k.machine.Wait(k.ctx, run)
		}
		k.watches.end(run) // first: who reads the state as it was before is the next to watch
		if err == nil {
			k.Tell(run, "ended", func(s *State) { k.saw(s, seen) })
		}
	})
}

// saw takes over what the machine says of the state's run.
func (k *Kubelet) saw(s *State, seen machine.Seen) {
	if seen.Spec.Run != s.Run {
		return
	}
	s.Seen = seen
	if seen.State == machine.Lost && s.LearnedAt.IsZero() {
		s.LearnedAt = k.Clock.Now()
	}
}
