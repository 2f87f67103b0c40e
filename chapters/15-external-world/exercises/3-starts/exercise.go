// Package starts is exercise 15.3: tasks that take long, for runs that must not.
//
// The start of a process may take a second, and a controller has few workers. So a run hands the start over and
// returns.
//
//	s := starts.New(3, func(key string, err error) { ... }) // remember it, and tell the controller
//	taken := s.Start(ctx, "north/web", func(ctx context.Context) error { return machine.Start(ctx, spec) })
//
// Write Starts, stage by stage, from the standard library. docs/exercises.md says what holds for every exercise.
package starts

import (
	"context"
	"sync"
)

// Starts has tasks that run in the background, and from stage 2 on some that wait.
type Starts struct {
	most int
	done func(key string, err error)

	mu sync.Mutex
	// TODO: what runs, and what waits
}

// New returns Starts whose methods many goroutines may call. While nothing runs and nothing waits, it has no goroutine.
func New(most int, done func(key string, err error)) *Starts {
	return &Starts{most: most, done: done}
}

// Start hands a task over, and says whether it was taken.
//
// Stage 1: in the background
//   - It returns true at once, however long the task takes.
//   - The task's context has the values of ctx, and does not end with it: ctx is the run's.
//   - When the task has returned, done is told its key and its error, once.
//
// Stage 2: no more than most at once
//   - At most so many tasks run at once. Any number waits, and Start does not.
//   - They begin in the order of their Starts, each as soon as there is room.
//
// Stage 3: a key, once
//   - A key whose task waits or runs is not taken a second time: Start returns false.
//   - When done is told, the key is free again, and done may call Start.
//
// Stage 4 (hard): the end, and a panic
//   - A panic of a task is its failure: done is told an error that holds its text. All else goes on.
func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	// TODO: begin the task, or have it wait
	return false
}

// Cancel is called when nobody wants a key any more. It waits for nothing.
//
// Stage 3: a key, once
//   - A task that waits is taken back: it never begins, done is told nothing, and the key is free.
//   - A task that runs has its context ended, and keeps key and room until it returns.
func (s *Starts) Cancel(key string) {
	// TODO: take back what waits, and end the context of what runs
}

// Stop ends the starting. It is called once.
//
// Stage 4 (hard): the end, and a panic
//   - Nothing begins any more. What waits is dropped, done is told nothing of it, and Start returns false.
//   - It ends no context. It returns as soon as nothing runs and done has returned for each.
func (s *Starts) Stop() {
	// TODO: drop what waits, and wait for what runs
}
