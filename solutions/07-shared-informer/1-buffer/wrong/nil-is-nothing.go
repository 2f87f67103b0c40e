// Misconception: nil is no element.
// Caught by: TestAnyValueOfAnyType
// Message: the belief that nil or a zero is no element

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
			if any(element) == nil {
				continue // wrong
			}
			gathered = append(gathered, element)
		case ready <- gathered:
			gathered = nil
		}
	}
}
