// Breaks: They share nothing.
// Caught by: TestPumpsShareNothing
// Message: another takes 3 and 4

//go:build wrong

package buffer

var pool []any // wrong: of all Pumps

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	for {
		var ready chan<- []T
		var gathered []T
		for _, element := range pool {
			one, _ := element.(T)
			gathered = append(gathered, one)
		}
		if len(gathered) > 0 {
			ready = out
		}
		select {
		case element, open := <-in:
			if !open {
				pool = nil
				return
			}
			pool = append(pool, element)
		case ready <- gathered:
			pool = nil
		}
	}
}
