// Package backoff says how long an item waits that has failed, before it is tried again.
package backoff

import (
	"time"
)

// Backoff counts for each item how often it has failed. A worker calls When when it could not do what an item asks
// for, tries the item again after the time that it is told, and calls Forget when it could.
//
//   - Each item is counted for itself: a call for one changes nothing for any other. Two items are one if == says so.
//   - Only calls change something. No call waits, and what is counted stays however much time passes.
//   - Any number of goroutines may call any of the methods at once, also for one item, and each call of When counts.
//   - A Backoff keeps nothing of an item that has no failures: neither of one that was forgotten, nor of one that it
//     was only asked about. The garbage collector may have it.
//   - Two Backoffs share nothing. Nobody has to close one: no goroutine is left behind.
type Backoff[T comparable] struct {
	base, max time.Duration

	// TODO: add the fields you need
}

// New returns a Backoff that has counted nothing. Both base and max are longer than 0, and any such duration will do,
// also the longest there is, math.MaxInt64; base may be longer than max.
func New[T comparable](base, max time.Duration) *Backoff[T] {
	// TODO: make what your fields need
	return &Backoff[T]{base: base, max: max}
}

// When counts one more failure of an item, and returns how long the item is to wait.
//
//   - After the first failure that is base, and after each further one twice as long as after the one before. Only
//     what is longer than a hundred days may be rounded, to whole seconds, but not to more than max.
//   - It is never longer than max. Where twice as long would be longer, it is max, and stays so with further failures.
//   - All this is true of any number of failures, and of any base and max.
func (b *Backoff[T]) When(item T) time.Duration {
	// TODO: count, and double
	return b.base
}

// Forget says that the failures of an item don't count any more. After it the item is like one that never failed.
// There may be nothing to forget.
func (b *Backoff[T]) Forget(item T) {
	// TODO: begin anew
}

// NumRequeues returns how many failures of an item count: the calls of When since the last Forget, all of them, also
// those that returned max. It counts nothing itself.
func (b *Backoff[T]) NumRequeues(item T) int {
	// TODO: say how many there were
	return 0
}
