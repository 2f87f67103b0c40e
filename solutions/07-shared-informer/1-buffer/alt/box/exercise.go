// Package buffer is an unbounded buffer between two goroutines.
package buffer

// Pump gives what a second goroutine takes. Between them is a box for one slice: who puts something into it takes out
// what is still there, and puts both back.
func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	box := make(chan []T, 1)
	go fill(box, in)
	for gathered := range box {
		for len(gathered) > 0 {
			select {
			case out <- gathered:
				gathered = nil
			case more, open := <-box:
				if !open {
					return
				}
				gathered = append(gathered, more...)
			}
		}
	}
}

// fill closes the box when in is closed, and has nothing else to do then.
func fill[T any](box chan []T, in <-chan T) {
	defer close(box)
	for element := range in {
		var there []T
		select {
		case there = <-box:
		default:
		}
		box <- append(there, element)
	}
}
