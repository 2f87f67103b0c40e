package main

import (
	"context"
	"fmt"
	"slices"
	"sync"

	starts "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/3-starts"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// background is what starts processes for the kubelet, with the reader's Starts. It knows what has begun; what a later
// stage does, the book does until then.
type background struct {
	yours *starts.Starts
	once  bool // stage 3 is written
	stops bool // stage 4 is
	start func(machine.Spec)
	begun sync.WaitGroup

	lock    sync.Mutex // guards what follows
	waiting []*waiting // taken, and not begun
	running map[machine.Run]bool
	added   int
	most    int // that ran at once
	told    int // how often done was told
	stopped bool
}

// waiting is a task that may be taken back.
type waiting struct {
	run  machine.Run
	back bool
}

func newBackground(most int, start func(machine.Spec)) *background {
	b := &background{start: start, running: map[machine.Run]bool{}}
	b.yours = starts.New(most, func(string, error) {
		b.lock.Lock()
		defer b.lock.Unlock()
		b.told++
	})
	end, ctx := make(chan bool), context.Background()
	task := func(context.Context) error { <-end; return nil }
	probe := starts.New(1, func(string, error) {})
	b.once = probe.Start(ctx, "probe", task) && !probe.Start(ctx, "probe", task)
	close(end)
	probe.Stop()
	b.stops = !probe.Start(ctx, "another", task)
	return b
}

// missing says what the book does.
func (b *background) missing() string {
	switch {
	case !b.once:
		return "Stage 3 of 15.3 is still to be written. Until then the book knows which keys are at work, and takes back what waits."
	case !b.stops:
		return "Stage 4 of 15.3 is still to be written. Until then the book waits at the end."
	}
	return ""
}

// Add implements kubelet.Background.
func (b *background) Add(spec machine.Spec) {
	if w := b.take(spec.Run); w != nil {
		b.yours.Start(context.Background(), fmt.Sprint(spec.Run), func(context.Context) error {
			if b.begin(w) {
				defer b.end(w)
				b.start(spec) // which tells the kubelet what came of it
			}
			return nil
		})
	}
}

func (b *background) take(run machine.Run) *waiting {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.stopped || b.running[run] || b.place(run) >= 0 {
		return nil
	}
	b.added++
	w := &waiting{run: run}
	b.waiting = append(b.waiting, w)
	return w
}

// begin says whether a task may begin, which was not taken back.
func (b *background) begin(w *waiting) bool {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.waiting = slices.DeleteFunc(b.waiting, func(other *waiting) bool { return other == w })
	if w.back || b.stopped {
		return false
	}
	b.running[w.run] = true
	b.most = max(b.most, len(b.running))
	b.begun.Add(1)
	return true
}

func (b *background) end(w *waiting) {
	b.lock.Lock()
	defer b.lock.Unlock()
	delete(b.running, w.run)
	b.begun.Done()
}

// place is the index of a run in what waits, or -1. The lock is held.
func (b *background) place(run machine.Run) int {
	return slices.IndexFunc(b.waiting, func(w *waiting) bool { return w.run == run })
}

// waits says whether the start of a run was taken, and has not begun.
func (b *background) waits(run machine.Run) bool {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.place(run) >= 0
}

// Remove implements kubelet.Background.
func (b *background) Remove(run machine.Run) bool {
	b.lock.Lock()
	at := b.place(run)
	if at >= 0 {
		b.waiting[at].back = true
		b.waiting = slices.Delete(b.waiting, at, at+1)
	}
	b.lock.Unlock()
	if at >= 0 {
		b.yours.Cancel(fmt.Sprint(run))
	}
	return at >= 0
}

// Before implements kubelet.Background.
func (b *background) Before(run machine.Run) int {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.place(run)
}

// Stop implements kubelet.Background.
func (b *background) Stop() {
	b.lock.Lock()
	b.stopped = true
	b.lock.Unlock()
	b.yours.Stop()
	b.begun.Wait()
}

// count is how far it is.
type count struct{ added, waiting, running, most, told int }

func (b *background) count() count {
	b.lock.Lock()
	defer b.lock.Unlock()
	return count{b.added, len(b.waiting), len(b.running), b.most, b.told}
}

var _ kubelet.Background = (*background)(nil)
