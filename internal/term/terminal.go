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

// interactive is false for terminals that can't redraw a line.
func interactive() bool {
	term := os.Getenv("TERM")
	return term != "" && term != "dumb"
}

// colours follows https://no-color.org: any value of NO_COLOR but the empty one turns colour off.
func colours() bool { return os.Getenv("NO_COLOR") == "" }
