// Misconception: it is worth while to wait for more.
// Caught by: TestGivesWhatHasGathered
// Message: the belief that it is worth while to wait for more.

//go:build wrong

package buffer

import "time"

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	var gathered []T
	var full <-chan time.Time
	var ready chan<- []T
	for {
		select {
		case element, open := <-in:
			if !open {
				return
			}
			if gathered = append(gathered, element); len(gathered) == 1 {
				full = time.After(10 * time.Millisecond)
			}
		case <-full:
			ready = out
		case ready <- gathered:
			gathered, ready = nil, nil
		}
	}
}
