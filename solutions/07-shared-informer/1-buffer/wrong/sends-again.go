// Breaks: Elements come out in the order in which they were sent, each once.
// Caught by: TestGivesWhatHasGathered
// Message: it was 1 <[1] << 2 [1 2]

//go:build wrong

package buffer

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	var gathered []T
	var ready chan<- []T
	for {
		select {
		case element, open := <-in:
			if !open {
				return
			}
			gathered = append(gathered, element)
			ready = out
		case ready <- gathered:
			ready = nil // wrong: what was received is still there
		}
	}
}
