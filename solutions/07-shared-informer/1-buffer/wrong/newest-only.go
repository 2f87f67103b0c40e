// Misconception: the newest says all.
// Caught by: TestGivesWhatHasGathered
// Message: the belief that the newest says all.

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
			gathered = []T{element} // wrong
		case ready <- gathered:
			gathered = nil
		}
	}
}
