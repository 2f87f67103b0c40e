// Misconception: a goroutine ends when the function does that started it.
// Caught by: TestWaitsWithoutRunning
// Message: the belief that a goroutine ends when the function does that started it

//go:build wrong

package buffer

import "sync"

func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	var mu sync.Mutex
	var gathered []T
	more := make(chan struct{}, 1)
	go func() {
		for range more { // wrong: nobody closes it
			for offer(&mu, &gathered, more, out) {
			}
		}
	}()
	for element := range in {
		mu.Lock()
		gathered = append(gathered, element)
		mu.Unlock()
		select {
		case more <- struct{}{}:
		default:
		}
	}
}

// offer returns whether there was something, and it was received or became more.
func offer[T any](mu *sync.Mutex, gathered *[]T, more chan struct{}, out chan<- []T) bool {
	mu.Lock()
	all := (*gathered)[:len(*gathered):len(*gathered)]
	mu.Unlock()
	if len(all) == 0 {
		return false
	}
	select {
	case out <- all:
		mu.Lock()
		*gathered = append([]T(nil), (*gathered)[len(all):]...)
		mu.Unlock()
	case <-more:
	}
	return true
}
