// Misconception: to look from time to time is to wait.
// Caught by: TestWaitsWithoutLooking
// Message: the belief that to look from time to time is to wait.

//go:build wrong

package buffer

import "time"

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	var gathered []T
	for {
		var ready chan<- []T
		if len(gathered) > 0 {
			ready = out
		}
		select {
		case element, open := <-in:
			if !open {
				return
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = nil
		default:
			time.Sleep(time.Millisecond) // wrong
		}
	}
}
