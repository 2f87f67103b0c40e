package informer

// Buffer stands between an informer and one handler. It takes in whatever comes, at any time, and sends all that has
// gathered whenever out is received from, in order. When in is closed it closes out and returns; what it has not sent
// by then is dropped. A slice that was sent is its receiver's.
type Buffer = func(in <-chan Notification, out chan<- []Notification)

// Pump is the book's [Buffer]: its size is bounded by memory alone, so that no handler, however slow, keeps the
// informer waiting.
//
// A send on a nil channel never proceeds. So while nothing has gathered, the select below has one case that can happen.
//
// Upstream: processorListener.pop, in tools/cache/shared_informer.go, which hands out one notification at a time.
func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	var gathered []T
	for {
		var ready chan<- []T // nil while nothing has gathered
		if len(gathered) > 0 {
			ready = out
		}
		select {
		case one, open := <-in:
			if !open {
				return
			}
			gathered = append(gathered, one)
		case ready <- gathered:
			gathered = nil
		}
	}
}
