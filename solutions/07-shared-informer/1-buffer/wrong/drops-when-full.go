// Breaks: Pump takes whatever comes, at any time.
// Caught by: TestHasRoomForWhateverComes
// Message: 20000 elements were sent to in: the next receive gets them in their order

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
			if len(gathered) == 10_000 {
				gathered = gathered[1:] // wrong: the oldest is dropped
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = nil
		}
	}
}
