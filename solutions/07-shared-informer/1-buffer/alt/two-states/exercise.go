// Package buffer is an unbounded buffer between two goroutines.
package buffer

// Pump is in one of two states: it has nothing, or it has something to give.
func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	for element := range in {
		if closed := give([]T{element}, in, out); closed {
			return
		}
	}
}

// give returns when what has gathered was received, or when in is closed.
func give[T any](gathered []T, in <-chan T, out chan<- []T) (closed bool) {
	for {
		select {
		case out <- gathered:
			return false
		case element, open := <-in:
			if !open {
				return true
			}
			gathered = append(gathered, element)
		}
	}
}
