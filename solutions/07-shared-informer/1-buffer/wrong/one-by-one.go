// Misconception: what comes one by one is given one by one.
// Caught by: TestGivesWhatHasGathered
// Message: the belief that what comes one by one is given one by one.

//go:build wrong

package buffer

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	var gathered []T
	for {
		var ready chan<- []T
		var first []T
		if len(gathered) > 0 {
			ready, first = out, []T{gathered[0]}
		}
		select {
		case element, open := <-in:
			if !open {
				return
			}
			gathered = append(gathered, element)
		case ready <- first:
			gathered = gathered[1:]
		}
	}
}
