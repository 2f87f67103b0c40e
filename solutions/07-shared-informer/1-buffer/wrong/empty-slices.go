// Misconception: nobody minds an empty slice.
// Caught by: TestGivesWhatHasGathered
// Message: the belief that nobody minds an empty slice.

//go:build wrong

package buffer

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	var gathered []T
	for {
		select {
		case element, open := <-in:
			if !open {
				return
			}
			gathered = append(gathered, element)
		case out <- gathered: // wrong: also while nothing has gathered
			gathered = nil
		}
	}
}
