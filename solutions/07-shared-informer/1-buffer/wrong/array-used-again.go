// Misconception: an array is free again when its slice was received.
// Caught by: TestASliceIsItsReceivers
// Message: the belief that an array is free again when its slice was received.

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
			gathered = gathered[:0] // wrong: the receiver has only begun
		}
	}
}
