// Misconception: there is nothing to receive from a closed channel.
// Caught by: TestWaitsWithoutRunning
// Message: the belief that there is nothing to receive from a closed channel.

//go:build wrong

package buffer

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
				break // wrong: out of the select only
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = nil
		}
	}
}
