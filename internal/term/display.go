package term

import (
	"io"
)

// Display shows what a long piece of work is doing. Its methods may be called from several goroutines.
type Display interface {
	// Say prints one line that stays.
	Say(format string, args ...any)
	// Begin shows a piece of work that takes a while. One piece of work is shown at a time: End it before the next
	// begins.
	Begin(what string) Task
}

// Task is one piece of work on a Display, shown with the time it has taken so far.
type Task interface {
	// Set says how much is done: "312 of 2180 packages". A total of 0 means that the total is not known.
	Set(done, total int, unit string)
	// Detail says what is being worked on at the moment.
	Detail(text string)
	// End removes the changing line and, unless format is empty, leaves one line in its place.
	End(format string, args ...any)
}

// NewDisplay returns a Display that writes to w: one line that is redrawn when w is a terminal, otherwise a plain line
// every ten seconds. It uses colour only on a terminal, and not when NO_COLOR is set.
func NewDisplay(w io.Writer) Display {
	if width, ok := Width(w); ok && interactive() {
		return newScreen(w, width, colours())
	}
	return newLines(w)
}

// Quiet returns a Display that shows nothing.
func Quiet() Display { return quiet{} }

type quiet struct{}

func (quiet) Say(string, ...any)   {}
func (quiet) Begin(string) Task    { return quiet{} }
func (quiet) Set(int, int, string) {}
func (quiet) Detail(string)        {}
func (quiet) End(string, ...any)   {}
