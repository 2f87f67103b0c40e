// Breaks: Pump has nothing to do with it any more:
// Caught by: TestGivesWhatHasGathered
// Message: it was 1 <[0] << 2

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
			gathered = append(gathered, element)
		case ready <- gathered:
			clear(gathered) // wrong: for the garbage collector
			gathered = nil
		}
	}
}
