// Misconception: a select with a default case waits.
// Caught by: TestWaitsWithoutRunning
// Message: the belief that a select with a default case waits.

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
		default: // wrong: the loop never waits
		}
		if len(gathered) > 0 {
			select {
			case out <- gathered:
				gathered = nil
			default:
			}
		}
	}
}
