// Misconception: the rest of an array is free.
// Caught by: TestASliceIsItsReceivers
// Message: the belief that the rest of an array is free because the slice ends before it.

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
				return
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = gathered[len(gathered):] // wrong: who appends to the slice writes there
		}
	}
}
