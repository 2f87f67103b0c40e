// Breaks: Until in is closed it does neither.
// Caught by: TestWaitsWithoutLooking
// Message: Pump has not returned

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
		case <-time.After(time.Hour): // wrong
			return
		}
	}
}
