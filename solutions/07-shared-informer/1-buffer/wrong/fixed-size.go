// Misconception: a send gives what there is when somebody receives (and a thousand is enough).
// Caught by: TestGivesWhatHasGathered
// Message: the belief that a send gives what there is when somebody receives.

//go:build wrong

package buffer

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	inner, stop := make(chan T, 1000), make(chan struct{})
	go func() {
		defer close(inner)
		for element := range in {
			select {
			case inner <- element:
			case <-stop:
			}
		}
		close(stop)
	}()
	for first := range inner {
		gathered := []T{first}
		for len(inner) > 0 {
			gathered = append(gathered, <-inner)
		}
		select {
		case out <- gathered:
		case <-stop:
			return
		}
	}
}
