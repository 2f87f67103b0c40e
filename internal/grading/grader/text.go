package grader

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// width of the terminal that everything must fit.
const width = 100

// Print writes a result for a reader. style colours words, or not.
func Print(w io.Writer, r Result, style Style) {
	status := string(r.Status)
	switch r.Status {
	case Passed:
		status = style.green(status)
	case Failed, Errored:
		status = style.red(status)
	}
	stars := strings.Repeat("★", r.Possible) + strings.Repeat(" ", max(0, 3-r.Possible))
	title := term.Clip(r.Title, 50)
	fmt.Fprintf(w, "%s  %s%s  %s  %s%s  %d/%d\n", r.Exercise, title, pad(title, 50), stars, status,
		pad(string(r.Status), 13), r.Points, r.Possible)
	if r.Status != Passed {
		field(w, "open", cmp.Or(r.Source, r.File))
	}
	if f := r.Failure; f != nil {
		if f.Test != "" {
			field(w, "test", f.Test)
		}
		field(w, "expected", f.Expected)
		field(w, "happened", f.Happened)
		field(w, "points to", f.PointsTo)
		field(w, "also", f.Also)
	}
	if r.Error != "" {
		field(w, "error", cut(r.Error, 2000))
	}
	for _, n := range r.Notes {
		field(w, "note", n)
	}
}

// PrintSummary writes the last lines: counts, points, and what to do next.
func PrintSummary(w io.Writer, results []Result) {
	s := Summarize(results)
	parts := []string{fmt.Sprintf("%d of %d passed", s.Passed, s.Exercises)}
	for _, p := range []struct {
		n    int
		what string
	}{{s.Failed, "failed"}, {s.NotAttempted, "not attempted"}, {s.Errors, "could not be graded"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	fmt.Fprintf(w, "\n%s: %d of %d points\n", strings.Join(parts, ", "), s.Points, s.Possible)
	for _, r := range results {
		if r.Source == "" && !r.NotFound() && (r.Status == Failed || r.Status == NotAttempted) {
			fmt.Fprintf(w, "a hint: make hint EX=%s   (or go run ./scripts/hint %s)\n", r.Exercise, r.Exercise)
			return
		}
	}
}

// field writes a labelled text, wrapped.
func field(w io.Writer, label, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	const indent = 17
	for i, line := range wrap(text, width-indent) {
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(w, "      %-11s%s\n", label, line)
	}
}

// wrap breaks a text into lines of at most n columns, at spaces where there are any. Line breaks stay.
func wrap(text string, n int) []string {
	return term.Wrap(broken(term.Printable(text), n), n)
}

// broken puts a space behind each n letters that have none.
func broken(text string, n int) string {
	var b strings.Builder
	letters := 0
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			letters = 0
		case letters == n:
			b.WriteByte(' ')
			letters = 1
		default:
			letters++
		}
		b.WriteRune(r)
	}
	return b.String()
}

func pad(s string, n int) string { return strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s))) }

// Style colours the words of a report, if it is on.
type Style bool

func (s Style) green(t string) string { return s.colour("32", t) }
func (s Style) red(t string) string   { return s.colour("31", t) }

func (s Style) colour(code, t string) string {
	if !s {
		return t
	}
	return "\x1b[" + code + "m" + t + "\x1b[0m"
}
