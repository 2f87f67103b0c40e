// Misconception: who does not wait yet need not be woken.
// Caught by: TestNoWakeUpIsLost
// Message: the belief that who does not wait yet need not be woken.
// Base: alt/channel

//go:build wrong

package batches

// New makes an empty queue.
func New(most int) *Queue {
	return &Queue{most: most, wake: make(chan struct{})} // wrong: nothing is kept for who is about to receive
}
