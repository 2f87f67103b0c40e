// Breaks: Pump does not look at them:
// Caught by: TestEqualElements
// Message: it was 1 1 2 1 1 <[1 2 1]

//go:build wrong

package buffer

import "reflect"

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
			if n := len(gathered); n > 0 && reflect.DeepEqual(gathered[n-1], element) {
				continue // wrong: it happened twice
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = nil
		}
	}
}
