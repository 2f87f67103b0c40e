// Misconception: what has gathered has to be given before the end.
// Caught by: TestWhenInIsClosed
// Message: the belief that what has gathered has to be given before the end.

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
				if len(gathered) > 0 {
					out <- gathered // wrong: perhaps nobody comes for it
				}
				return
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = nil
		}
	}
}
