// Command doctor says what this machine lacks for the chapters, and what to do about it: before a workshop, on every
// machine.
//
//	go run ./scripts/doctor
//
// It exits 1 when something is missing that the chapters need. It changes nothing and builds nothing.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	m, err := thisMachine(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "doctor:", err)
		os.Exit(1)
	}
	if !examine(ctx, os.Stdout, term.NewDisplay(os.Stdout), m) {
		os.Exit(1)
	}
}

// grade is how a check came out.
type grade string

const (
	good    grade = "ok"
	note    grade = "note" // something works less well, or an extra is not there
	missing grade = "MISSING"
)

// finding is what one check found.
type finding struct {
	grade grade
	found string
	todo  string // what to do, "" for nothing
}

// check is one thing to look at.
type check struct {
	name string
	look func(ctx context.Context, m *machine) finding
}

var checks = []check{
	{"Go", goVersion},
	{"modules", modules},
	{"servers", servers},
	{"cache folder", cacheFolder},
	{"disk", disk},
	{"memory", memory},
	{"loopback", loopback},
	{"race detector", raceDetector},
	{"Docker", docker},
	{"control plane", lasting},
}

// patience is what a check waits for another program: a network that swallows packets must not look like a hanging
// doctor.
const patience = 20 * time.Second

// examine prints each finding as soon as it is known, and reports whether the chapters can run.
func examine(ctx context.Context, w io.Writer, display term.Display, m *machine) bool {
	lacking := 0
	for _, c := range checks {
		task := display.Begin("Looking at: " + c.name)
		f := c.look(ctx, m)
		task.End("")
		if ctx.Err() != nil {
			fmt.Fprintln(w, "Interrupted.")
			return false
		}
		if f.grade == missing {
			lacking++
		}
		fmt.Fprintf(w, "%-8s%-15s%s\n", f.grade, c.name, wrap(f.found))
		if f.todo != "" {
			fmt.Fprintf(w, "%s-> %s\n", strings.Repeat(" ", margin), wrap(f.todo))
		}
	}
	fmt.Fprintln(w)
	switch {
	case lacking == 1:
		fmt.Fprintln(w, "One thing is missing. Mend it and run this again.")
	case lacking > 1:
		fmt.Fprintf(w, "%d things are missing. Mend them and run this again.\n", lacking)
	default:
		fmt.Fprintln(w, "This machine runs the chapters. Begin with: go run ./chapters/01-raw-watch")
	}
	return lacking == 0
}

// margin is the column where the findings begin.
const margin = 23

// wrap breaks a text so that it fits 100 columns to the right of the margin; its further lines stand further right.
func wrap(text string) string {
	return strings.Join(term.Wrap(text, 96-margin), "\n"+strings.Repeat(" ", margin+3))
}
