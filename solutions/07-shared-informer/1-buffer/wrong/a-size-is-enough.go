// Misconception: there is a size that is enough.
// Caught by: TestHasRoomForWhateverComes
// Message: the belief that there is a size that is enough.

//go:build wrong

package buffer

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	gathered := make([]T, 0, 1000)
	for {
		var ready chan<- []T
		if len(gathered) > 0 {
			ready = out
		}
		take := in
		if len(gathered) == cap(gathered) {
			take = nil // wrong: who sends waits, and in may be closed meanwhile
		}
		select {
		case element, open := <-take:
			if !open {
				return
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = make([]T, 0, 1000)
		}
	}
}
