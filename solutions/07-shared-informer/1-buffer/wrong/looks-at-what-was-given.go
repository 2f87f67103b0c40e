// Breaks: A slice that was received is its receiver's, to keep, to change and to append to.
// Caught by: TestSendsAndReceivesAtOnce
// Message: data race

//go:build wrong

package buffer

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	var gathered, before []T
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
			before = append(before[:0], gathered...) // wrong: it is the receiver's by now
			gathered = nil
		}
	}
}
