package kubelet

import (
	"slices"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// Starter starts processes in the background, so many at once, in the order in which they were added. A start takes as
// long as it takes, and no run waits for it.
//
// Upstream's counterpart is in pkg/kubelet/images: puller.go's parallelImagePuller, with maxParallelImagePulls.
type Starter struct {
	most  int
	start func(machine.Spec)
	works sync.WaitGroup

	lock    sync.Mutex // guards what follows
	waiting []machine.Spec
	running map[machine.Run]bool
	stopped bool
}

// NewStarter makes one that calls start for each, at most so many times at once.
func NewStarter(most int, start func(machine.Spec)) *Starter {
	return &Starter{most: most, start: start, running: map[machine.Run]bool{}}
}

// Add adds a start. A run that waits or is being started is not added again.
func (s *Starter) Add(spec machine.Spec) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.stopped || s.running[spec.Run] || s.place(spec.Run) >= 0 {
		return
	}
	s.waiting = append(s.waiting, spec)
	s.fill()
}

// Remove takes a start back, and says whether it could. One that is going on can't be taken back.
func (s *Starter) Remove(run machine.Run) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	at := s.place(run)
	if at < 0 {
		return false
	}
	s.waiting = slices.Delete(s.waiting, at, at+1)
	return true
}

// Before is how many wait before a run, or -1 if it does not wait.
func (s *Starter) Before(run machine.Run) int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.place(run)
}

// Stop drops what waits, and returns when the starts that go on have ended. Nothing can be added afterwards.
func (s *Starter) Stop() {
	s.lock.Lock()
	s.stopped, s.waiting = true, nil
	s.lock.Unlock()
	s.works.Wait()
}

// place is the index of a run in what waits, or -1. The lock is held.
func (s *Starter) place(run machine.Run) int {
	return slices.IndexFunc(s.waiting, func(w machine.Spec) bool { return w.Run == run })
}

// fill begins what may begin. The lock is held.
func (s *Starter) fill() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		spec := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.running[spec.Run] = true
		s.works.Go(func() {
			s.start(spec)
			s.lock.Lock()
			defer s.lock.Unlock()
			delete(s.running, spec.Run)
			s.fill()
		})
	}
}
