// Misconception: a channel that nobody sends to ends by itself.
// Caught by: TestWhenInIsClosed
// Message: the belief that a channel which nobody sends to ends by itself.

//go:build wrong

package buffer

func Pump[T any](in <-chan T, out chan<- []T) {
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
		}
	}
}
