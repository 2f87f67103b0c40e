// Misconception: who closes out is done.
// Caught by: TestWaitsWithoutRunning
// Message: it had not, and waited

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
				close(out)
				in, gathered = nil, nil // wrong: nothing is left to wait for
				continue
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = nil
		}
	}
}
