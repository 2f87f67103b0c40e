package term

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// pace of the two displays: a redrawn line changes often enough to be seen moving, a log gets few lines.
const (
	redrawEvery = 200 * time.Millisecond
	firstLine   = 2 * time.Second // what takes less than this leaves no trace in a log
	lineEvery   = 10 * time.Second
)

// printer is the Display behind NewDisplay, for terminals and for plain output.
type printer struct {
	mu     sync.Mutex
	w      io.Writer
	redraw bool // rewrite one line; otherwise print a line per tick
	colour bool
	width  int
	task   *task // what is being shown, or nil
}

func newScreen(w io.Writer, width int, colour bool) *printer {
	return &printer{w: w, redraw: true, colour: colour, width: width}
}

func newLines(w io.Writer) *printer { return &printer{w: w} }

// Say implements Display. A task's line is wiped first and drawn again below.
func (p *printer) Say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	fmt.Fprintln(p.w, fmt.Sprintf(format, args...))
	p.draw()
}

// Begin implements Display.
func (p *printer) Begin(what string) Task {
	first, every := firstLine, lineEvery
	if p.redraw {
		first, every = redrawEvery, redrawEvery
	}
	t := &task{printer: p, what: what, began: time.Now(), stop: make(chan struct{}), stopped: make(chan struct{})}
	p.mu.Lock()
	p.task = t
	p.draw()
	p.mu.Unlock()
	go t.tick(first, every)
	return t
}

// wipe removes the changing line. The caller holds mu.
func (p *printer) wipe() {
	if p.redraw && p.task != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// draw puts the changing line on the terminal. The caller holds mu.
func (p *printer) draw() {
	if !p.redraw || p.task == nil {
		return
	}
	line := []rune(p.task.line())
	if p.width > 0 && len(line) >= p.width {
		line = line[:p.width-1] // a line that fills the last column would wrap, and \r would not reach its start
	}
	text := string(line)
	if p.colour {
		text = "\x1b[36m" + text + "\x1b[0m"
	}
	fmt.Fprint(p.w, "\r\x1b[K"+text)
}

// task is the Task of a printer.
type task struct {
	printer       *printer
	began         time.Time
	stop, stopped chan struct{}
	ending        sync.Once

	// guarded by printer.mu
	what, unit, detail string
	done, total        int
}

// Set implements Task.
func (t *task) Set(done, total int, unit string) {
	t.printer.mu.Lock()
	defer t.printer.mu.Unlock()
	t.done, t.total, t.unit = done, total, unit
}

// Detail implements Task.
func (t *task) Detail(text string) {
	t.printer.mu.Lock()
	defer t.printer.mu.Unlock()
	t.detail = text
}

// End implements Task.
func (t *task) End(format string, args ...any) {
	t.ending.Do(func() {
		close(t.stop)
		<-t.stopped
		p := t.printer
		p.mu.Lock()
		defer p.mu.Unlock()
		p.wipe()
		p.task = nil
		if format != "" {
			fmt.Fprintln(p.w, fmt.Sprintf(format, args...))
		}
	})
}

// tick keeps the elapsed time moving.
func (t *task) tick(first, every time.Duration) {
	defer close(t.stopped)
	timer := time.NewTimer(first)
	defer timer.Stop()
	for {
		select {
		case <-t.stop:
			return
		case <-timer.C:
			timer.Reset(every)
			p := t.printer
			p.mu.Lock()
			if p.redraw {
				p.draw()
			} else {
				fmt.Fprintln(p.w, t.line())
			}
			p.mu.Unlock()
		}
	}
}

// line says what is done, how far it is, how long it has taken, and what is in hand. The caller holds mu.
func (t *task) line() string {
	var b strings.Builder
	b.WriteString(t.what)
	switch {
	case t.total > 0:
		fmt.Fprintf(&b, "  %d of %d %s", t.done, t.total, t.unit)
	case t.done > 0:
		fmt.Fprintf(&b, "  %d %s", t.done, t.unit)
	}
	b.WriteString("  " + Elapsed(time.Since(t.began)))
	if t.detail != "" {
		b.WriteString("  " + t.detail)
	}
	return b.String()
}

// Elapsed writes a duration as people say it: 8s, 1m05s.
func Elapsed(d time.Duration) string {
	seconds := int(d.Round(time.Second) / time.Second)
	if seconds < 60 {
		return fmt.Sprintf("%ds", seconds)
	}
	return fmt.Sprintf("%dm%02ds", seconds/60, seconds%60)
}
