// Breaks: They share nothing.
// Caught by: TestPumpsShareNothing
// Message: <[3] <[]

//go:build wrong

package buffer

import "sync/atomic"

var waiting atomic.Int64 // wrong: in all Pumps together

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	var gathered []T
	defer func() { waiting.Add(-int64(len(gathered))) }()
	for {
		var ready chan<- []T
		if waiting.Load() > 0 {
			ready = out
		}
		select {
		case element, open := <-in:
			if !open {
				return
			}
			waiting.Add(1)
			gathered = append(gathered, element)
		case ready <- gathered:
			waiting.Add(-int64(len(gathered)))
			gathered = nil
		}
	}
}
