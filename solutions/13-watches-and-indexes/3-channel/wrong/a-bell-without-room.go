// Misconception: who is called hears it.
// Caught by: TestWhenItIsAboutToWait
// Message: the belief that who is called hears it. Between the look that finds nothing and the wait f

//go:build wrong

package channel

func New() *Source {
	return &Source{waits: map[Key]bool{}, wake: make(chan struct{})} // wrong: a call in between is lost
}
