package lab

import (
	"fmt"
	"strconv"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// ANSI attributes: the sixteen colours of the terminal's own theme, legible on light and on dark.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// paint wraps s in an attribute when the narrator prints in colour.
func (n *Narrator) paint(attr, s string) string {
	if !n.colour || attr == "" {
		return s
	}
	return "\x1b[" + attr + "m" + s + "\x1b[0m"
}

// Wrap breaks s at spaces into lines of at most n runes; a line break in s stays one.
func Wrap(s string, n int) []string { return term.Wrap(s, n) }

// cut shortens a line to the page by leaving out its middle, and says how much.
func cut(s string) string {
	const room = Columns
	r := []rune(s)
	if len(r) <= room {
		return s
	}
	const tail = 30
	digits := max(len("1234"), len(strconv.Itoa(len(r)))) // of what is left out, at most
	head := room - tail - len(" ...( more)... ") - digits
	return fmt.Sprintf("%s ...(%d more)... %s", string(r[:head]), len(r)-head-tail, string(r[len(r)-tail:]))
}
