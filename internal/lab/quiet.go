package lab

import (
	"io"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// silence is how long a step may show nothing before a line says that it works.
const silence = 2 * time.Second

// erase takes away the line that the cursor is in.
const erase = "\r\x1b[K"

// quiet says, on a terminal, that a step works which shows nothing. What comes next takes the place of that.
type quiet struct {
	timer *time.Timer // nil where nothing is said
	last  time.Time   // when something was shown
	shown bool        // whether the line is there
}

// working begins to look whether a step is quiet, until the function that it returns is called. A pipe or a file is
// told nothing.
func (n *Narrator) working() (end func()) {
	if !n.redraws {
		return func() {}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.quiet.last = time.Now()
	n.quiet.timer = time.AfterFunc(silence, n.sayItWorks)
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		_, _ = io.WriteString(n.w, n.broken())
		n.quiet.timer.Stop()
		n.quiet.timer = nil
	}
}

// sayItWorks draws the line, and again each second.
func (n *Narrator) sayItWorks() {
	n.mu.Lock()
	defer n.mu.Unlock()
	since := time.Since(n.quiet.last)
	if n.quiet.timer == nil || since < silence {
		return // something was shown while this waited for the lock
	}
	text := n.paint(dim, "   still at work, "+term.Elapsed(since))
	_, _ = io.WriteString(n.w, erase+text) // the next line that is shown tells whether this can be written at all
	n.quiet.shown = true
	n.quiet.timer.Reset(time.Second)
}

// broken is what erases the line, if it is there, before something else is shown. The lock is held.
func (n *Narrator) broken() string {
	if n.quiet.timer == nil {
		return ""
	}
	was := n.quiet.shown
	n.quiet.last, n.quiet.shown = time.Now(), false
	n.quiet.timer.Reset(silence)
	if was {
		return erase
	}
	return ""
}
