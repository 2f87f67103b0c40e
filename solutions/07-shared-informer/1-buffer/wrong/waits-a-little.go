// Breaks: It does so at once, also while something has gathered and nobody receives:
// Caught by: TestWhenInIsClosed
// Message: it was 1 2 x (did not return, [1 2])

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
			if !open && len(gathered) == 0 {
				return
			}
			if !open {
				select {
				case ready <- gathered:
				case <-time.After(time.Second): // wrong
				}
				return
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = nil
		}
	}
}
