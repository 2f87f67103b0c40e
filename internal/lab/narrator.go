package lab

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// width is the widest line a demo prints: a projector and a split terminal show 100 columns.
const width = 100

// Columns is how many columns of a line belong to what is shown, after the indent and the sign.
const Columns = width - 5

// Narrator prints what a demo says. Each kind of line has its own mark and colour in every chapter, so that what the
// server sent is never mistaken for what the program made of it:
//
//	> what goes in: a request, as it was sent      < what comes out
//	~ what the client's own state became           = what follows from it
//	$ a command that the reader can type           ? a question, and its answer
//
// It is safe for concurrent use.
type Narrator struct {
	colour  bool
	redraws bool // w is a terminal on which a line can be erased
	cancel  context.CancelCauseFunc

	mu    sync.Mutex // guards what follows, and keeps lines whole
	w     io.Writer
	known map[string]bool // the prefixes of paths that were shown in full
	own   string          // the run's namespace, if there is one
	holds bool            // a conclusion waits for what comes after it: see holdBack
	held  string          // the lines of the conclusion that waits
	quiet quiet
}

// NewNarrator returns a narrator that writes to w, in colour when w is a terminal and NO_COLOR is not set. A write that
// fails (the reader closed the pipe) calls cancel, which may be nil.
func NewNarrator(w io.Writer, cancel context.CancelCauseFunc) *Narrator {
	return &Narrator{w: w, colour: isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
		redraws: term.Redraws(w), cancel: cancel}
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

// Heading starts a step: its place is "2/7" or the fault that it shows.
func (n *Narrator) Heading(place, title string) {
	head := fmt.Sprintf("── %s %s ", place, title)
	n.line("\n" + n.paint(bold, head+strings.Repeat("─", max(0, width-len([]rune(head))))))
}

// Say explains, wrapped to the page.
func (n *Narrator) Say(format string, args ...any) {
	for _, l := range Wrap(fmt.Sprintf(format, args...), width-3) {
		n.line("   " + l)
	}
}

// Command shows a command that the reader can type.
func (n *Narrator) Command(format string, args ...any) {
	n.marked("$", bold, fmt.Sprintf(format, args...))
}

// Sent shows what goes into a mechanism that is called and not asked over HTTP. A request is shown by [Lab.Aloud],
// which sends it.
func (n *Narrator) Sent(format string, args ...any) {
	n.marked(">", dim, cut(fmt.Sprintf(format, args...)))
}

// More goes on with the line before it, which was too long.
func (n *Narrator) More(format string, args ...any) {
	n.marked(" ", dim, cut("  "+fmt.Sprintf(format, args...)))
}

// Wire shows what comes out: what the server sent, as it sent it. A line that is too long is cut in its middle.
func (n *Narrator) Wire(format string, args ...any) {
	n.marked("<", cyan, cut(fmt.Sprintf(format, args...)))
}

// WireWhole shows what comes out as Wire does, on as many lines as it takes.
func (n *Narrator) WireWhole(text string) {
	for i, line := range Wrap(text, Columns-2) {
		if i == 0 {
			n.Wire("%s", line)
		} else {
			n.More("%s", line)
		}
	}
}

// Event shows an event that came out: its type in a column and a colour of its own, then the rest.
func (n *Narrator) Event(kind, format string, args ...any) {
	n.typed("<", kind, fmt.Sprintf(format, args...))
}

// Became shows what the client's own state became.
func (n *Narrator) Became(format string, args ...any) {
	n.marked("~", green, cut(fmt.Sprintf(format, args...)))
}

// Changed shows a change of the client's own state that has a type, as [Narrator.Event] shows an event.
func (n *Narrator) Changed(kind, format string, args ...any) {
	n.typed("~", kind, fmt.Sprintf(format, args...))
}

// Conclude shows what follows for the program, or for the reader, from what came back.
func (n *Narrator) Conclude(format string, args ...any) {
	lines := n.wrap("=", fmt.Sprintf(format, args...))
	n.mu.Lock()
	defer n.mu.Unlock()
	n.release()
	if n.holds {
		n.held = lines
		return
	}
	n.write(lines)
}

// holdBack keeps each conclusion until something else is shown, so that the answer to a question can stand before the
// last one of its step, which says as much. The function that it returns ends that, and shows first and then what is
// held.
func (n *Narrator) holdBack() (end func(first func())) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.holds = true
	return func(first func()) {
		n.mu.Lock()
		held := n.held
		n.holds, n.held = false, ""
		n.mu.Unlock()
		first()
		n.partial(held)
	}
}

// release shows the conclusion that is held. The lock is held.
func (n *Narrator) release() {
	held := n.held
	n.held = ""
	n.write(held)
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
		attr := ""
		if i == 0 {
			attr = dim
		}
		n.line("     " + n.paint(attr, strings.TrimRight(b.String(), " ")))
	}
}

// Problem shows the error a run ends with.
func (n *Narrator) Problem(err error) {
	for l := range strings.Lines(err.Error()) {
		for _, l := range Wrap(strings.TrimSpace(l), width-2) {
			n.line(n.paint(red, "! "+l))
		}
	}
}

// marked is one line with its mark in front.
func (n *Narrator) marked(mark, attr, text string) { n.line("   " + n.paint(attr, mark+" "+text)) }

// wrapped is a text with its mark in front of the first line.
func (n *Narrator) wrapped(mark, text string) { n.partial(n.wrap(mark, text)) }

// wrap makes the lines of such a text.
func (n *Narrator) wrap(mark, text string) string {
	var b strings.Builder
	for _, l := range Wrap(text, Columns) {
		b.WriteString("   " + n.paint(bold, mark+" "+l) + "\n")
		mark = " "
	}
	return b.String()
}

// typed is a line that begins with a type in a column and a colour of its own.
func (n *Narrator) typed(mark, kind, text string) {
	colours := map[string]string{"ADDED": green, "MODIFIED": yellow, "DELETED": red, "ERROR": red,
		"FAULT": red}
	attr, ok := colours[kind]
	if !ok {
		attr = dim
	}
	column := fmt.Sprintf("%-9s", kind)
	rest := strings.TrimPrefix(cut(column+text), column)
	n.line("   " + n.paint(cyan, mark+" ") + n.paint(attr, column) + rest)
}

func (n *Narrator) line(s string) { n.partial(s + "\n") }

func (n *Narrator) partial(s string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.release()
	n.write(s)
}

// write shows a text as it is. The lock is held.
func (n *Narrator) write(s string) {
	if s == "" {
		return
	}
	s = n.broken() + s
	if _, err := io.WriteString(n.w, s); err != nil && n.cancel != nil {
		n.cancel(fmt.Errorf("the output was closed: %w", err))
	}
}
