// Misconception: what can not be given when it comes can be given with the next.
// Caught by: TestGivesWhatHasGathered
// Message: the belief that what can't be given when it comes can be given with the next.

//go:build wrong

package buffer

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	var gathered []T
	for element := range in {
		gathered = append(gathered, element)
		select {
		case out <- gathered:
			gathered = nil
		default: // wrong: it is tried again when the next one has come
		}
	}
}
