package term

import (
	"io"
	"os"
)

// Width reports whether w is a terminal, and how many columns it has.
func Width(w io.Writer) (columns int, ok bool) {
	file, isFile := w.(*os.File)
	if !isFile {
		return 0, false
	}
	return terminalWidth(file.Fd())
}

// Redraws reports whether w is a terminal on which a line can be erased.
func Redraws(w io.Writer) bool {
	_, ok := Width(w)
	return ok && interactive()
}

// DropInput forgets what was typed on a terminal and not read yet, and reports whether r is a terminal. What waits in a
// pipe or a file stays.
func DropInput(r io.Reader) bool {
	file, isFile := r.(*os.File)
	if !isFile {
		return false
	}
	if _, ok := terminalWidth(file.Fd()); !ok {
		return false
	}
	dropInput(file.Fd())
	return true
}

// interactive is false for terminals that can't redraw a line.
func interactive() bool {
	term := os.Getenv("TERM")
	return term != "" && term != "dumb"
}

// colours follows https://no-color.org: any value of NO_COLOR but the empty one turns colour off.
func colours() bool { return os.Getenv("NO_COLOR") == "" }
