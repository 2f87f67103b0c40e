// Breaks: Elements come out in the order in which they were sent, each once.
// Caught by: TestGivesWhatHasGathered
// Message: it was 1 2 3 <[3 2 1] <nothing

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
			gathered = append([]T{element}, gathered...) // wrong
		case ready <- gathered:
			gathered = nil
		}
	}
}
