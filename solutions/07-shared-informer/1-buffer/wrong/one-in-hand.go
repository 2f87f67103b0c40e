// Misconception: a goroutine between two others is a buffer.
// Caught by: TestGivesWhatHasGathered
// Message: the belief that a goroutine between two others is a buffer.

//go:build wrong

package buffer

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	for element := range in {
		out <- []T{element}
	}
}
