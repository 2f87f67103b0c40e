// Breaks: Any number of Sources may be used at once. They share nothing.
// Caught by: TestTheEnd
// Message: it was start a return end b c return

//go:build wrong

package channel

// waiting has what waits. Wrong: of all Sources.
var waiting = map[Key]bool{}

func New() *Source {
	return &Source{waits: waiting, wake: make(chan struct{}, 1)}
}
