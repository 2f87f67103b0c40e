package lab

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// width is the widest line a demo prints: a projector and a split terminal show 100 columns.
const width = 100

// Columns is how many columns of a line belong to what is shown, after the indent and the sign.
const Columns = width - 5

// Narrator prints what a demo says. Each kind of line has its own sign and colour in every chapter, so that what the server
// sent is never mistaken for what the program made of it:
//
//	$ a command the reader can type      > what the program sent
//	< what the server sent               = what the program concluded
//
// It is safe for concurrent use.
type Narrator struct {
	mu     sync.Mutex
	w      io.Writer
	colour bool
	cancel context.CancelCauseFunc
}

// NewNarrator returns a narrator that writes to w, in colour when w is a terminal and NO_COLOR is not set. A write that
// fails (the reader closed the pipe) calls cancel, which may be nil.
func NewNarrator(w io.Writer, cancel context.CancelCauseFunc) *Narrator {
	return &Narrator{w: w, colour: isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", cancel: cancel}
}

// isTerminal says whether w is a character device, which is as close as the standard library comes.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Heading starts a step.
func (n *Narrator) Heading(step, of int, title string) {
	head := fmt.Sprintf("── %d/%d %s ", step, of, title)
	n.line("\n" + n.paint(bold, head+strings.Repeat("─", max(0, width-len([]rune(head))))))
}

// Say explains, wrapped to the page.
func (n *Narrator) Say(format string, args ...any) {
	for _, l := range wrap(fmt.Sprintf(format, args...), width-3) {
		n.line("   " + l)
	}
}

// Command shows a command that the reader can type.
func (n *Narrator) Command(format string, args ...any) {
	n.sign("$", bold, fmt.Sprintf(format, args...))
}

// Sent shows what the program sends.
func (n *Narrator) Sent(format string, args ...any) {
	n.sign(">", dim, cut(fmt.Sprintf(format, args...)))
}

// Wire shows what the server sent, as it sent it. A line that is too long is cut in its middle.
func (n *Narrator) Wire(format string, args ...any) {
	n.sign("<", cyan, cut(fmt.Sprintf(format, args...)))
}

// Event shows an event that the server sent: its type in a column and a colour of its own, then the rest.
func (n *Narrator) Event(kind, format string, args ...any) {
	c, ok := map[string]string{"ADDED": green, "MODIFIED": yellow, "DELETED": red, "ERROR": red}[kind]
	if !ok {
		c = dim
	}
	rest := cut(fmt.Sprintf("%-9s%s", kind, fmt.Sprintf(format, args...)))
	n.line(n.paint(cyan, "   < ") + n.paint(c, rest[:min(9, len(rest))]) + rest[min(9, len(rest)):])
}

// Conclude shows what the program, or the reader, learns from what came back.
func (n *Narrator) Conclude(format string, args ...any) {
	for i, l := range wrap(fmt.Sprintf(format, args...), width-5) {
		n.line("   " + n.paint(bold, []string{"=", " "}[min(i, 1)]+" "+l))
	}
}

// Table lines up rows in columns; the first row is the head. Columns after the first are aligned to the right.
func (n *Narrator) Table(rows ...[]string) {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for i, r := range rows {
		var b strings.Builder
		for j, cell := range r {
			pad := strings.Repeat(" ", widths[j]-len([]rune(cell)))
			if j == 0 {
				b.WriteString(cell + pad)
			} else {
				b.WriteString("  " + pad + cell)
			}
		}
		n.line("     " + n.paint([]string{dim, ""}[min(i, 1)], strings.TrimRight(b.String(), " ")))
	}
}

// Problem shows the error a run ends with.
func (n *Narrator) Problem(err error) {
	for l := range strings.Lines(err.Error()) {
		for _, l := range wrap(strings.TrimSpace(l), width-2) {
			n.line(n.paint(red, "! "+l))
		}
	}
}

func (n *Narrator) sign(s, colour, text string) { n.line("   " + n.paint(colour, s+" "+text)) }

func (n *Narrator) line(s string) { n.partial(s + "\n") }

func (n *Narrator) partial(s string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, err := io.WriteString(n.w, s); err != nil && n.cancel != nil {
		n.cancel(fmt.Errorf("the output was closed: %w", err))
	}
}
