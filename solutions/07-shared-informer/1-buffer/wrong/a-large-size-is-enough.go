// Misconception: there is a size that is enough.
// Caught by: TestHasRoomForWhateverComes
// Message: 131072 were taken, and who sends waited

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
		take := in
		if len(gathered) == 1<<17 {
			take = nil // wrong
		}
		select {
		case element, open := <-take:
			if !open {
				return
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = nil
		}
	}
}
