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

// Print writes a result for a reader: a line, and below it what helps. style colours words, or not.
func Print(w io.Writer, r Result, style Style) {
	title := term.Clip(r.Title, 50)
	stars := strings.Repeat("★", r.Stars) + strings.Repeat(" ", max(0, 3-r.Stars))
	status, what := string(r.Status), fmt.Sprintf("%d/%d", r.Points, r.Possible)
	climbs := len(r.Stages) > 0 && len(r.Tests) > 0 // what does not compile is at no stage
	if s, ok := r.AtHand(); ok && climbs && r.Status != Passed {
		status, what = fmt.Sprintf("stage %d of %d", s.Stage, len(r.Stages)), ""
	}
	line := fmt.Sprintf("%s  %s%s  %s  %s%s  %s", r.Exercise, title, pad(title, 50), stars, style.status(r, status),
		pad(status, 13), what)
	fmt.Fprintln(w, strings.TrimRight(line, " "))
	switch {
	case climbs:
		printStages(w, r, style)
	case r.Status == Failed || r.Status == Errored:
		field(w, "open", cmp.Or(r.Source, r.File))
		printFailure(w, belowLine, r.Failure)
	}
	if r.Error != "" {
		field(w, "error", cut(r.Error, 2000))
	}
	for _, n := range r.Notes {
		field(w, "note", n)
	}
}

// printStages writes a line for each stage, and below the one at hand why it is not passed.
func printStages(w io.Writer, r Result, style Style) {
	for _, s := range r.Stages {
		mark := map[Outcome]string{StagePassed: style.green("✓"), StageAtHand: style.red("▸"), StageNotReached: "·"}
		fmt.Fprintf(w, "      %s %d  %s\n", mark[s.Outcome], s.Stage, term.Clip(s.heading(), 86))
		if s.Outcome != StageAtHand {
			continue
		}
		if r.Points == 0 {
			fieldAt(w, belowStage, "open", cmp.Or(r.Source, r.File))
		}
		fieldAt(w, belowStage, "the stub's", strings.Join(s.Unwritten, ", "))
		printFailure(w, belowStage, r.Failure)
	}
}

// How far in the fields of a result stand, and those of a stage.
const (
	belowLine  = 6
	belowStage = 11
)

func printFailure(w io.Writer, indent int, f *Failure) {
	if f == nil {
		return
	}
	fieldAt(w, indent, "test", f.Test)
	fieldAt(w, indent, "expected", f.Expected)
	fieldAt(w, indent, "happened", f.Happened)
	fieldAt(w, indent, "points to", f.PointsTo)
	fieldAt(w, indent, "also", f.Also)
}

// PrintSummary writes the last lines: counts, points, and what to do next.
func PrintSummary(w io.Writer, results []Result) {
	s := Summarize(results)
	fmt.Fprintf(w, "\n%s: %d of %d points\n", s.counts(), s.Points, s.Possible)
	for _, r := range results {
		if r.Source == "" && !r.NotFound() && r.Status != Errored && r.Status != Passed {
			PrintNext(w, r)
			return
		}
	}
	if s.Passed > 0 && s.Passed == s.Exercises && results[0].Source == "" {
		fmt.Fprintf(w, "next: go run ./chapters/%s/mine runs it on the API server\n", results[0].Chapter)
	}
}

// PrintNext says what there is to do about an exercise of one's own that is not passed: where it begins, or who helps.
func PrintNext(w io.Writer, r Result) {
	if r.Status == NotAttempted {
		first := r.Title
		if s, ok := r.AtHand(); ok {
			first = fmt.Sprintf("stage %d: %s", s.Stage, s.Title)
		}
		fmt.Fprintln(w, term.Clip(fmt.Sprintf("next: %s, %s", r.Exercise, first), width))
		fmt.Fprintf(w, "      %s\n", r.File)
	}
	fmt.Fprintf(w, "a hint: make hint EX=%s   (or go run ./scripts/hint %s)\n", r.Exercise, r.Exercise)
}

// field writes a labelled text, wrapped.
func field(w io.Writer, label, text string) { fieldAt(w, belowLine, label, text) }

func fieldAt(w io.Writer, indent int, label, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	const labels = 11
	for i, line := range wrap(text, width-indent-labels) {
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(w, "%*s%-*s%s\n", indent, "", labels, label, line)
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

// status colours the word for a result.
func (s Style) status(r Result, text string) string {
	switch r.Status {
	case Passed:
		return s.green(text)
	case Failed, Errored:
		return s.red(text)
	}
	return text
}

func (s Style) green(t string) string { return s.colour("32", t) }
func (s Style) red(t string) string   { return s.colour("31", t) }

func (s Style) colour(code, t string) string {
	if !s {
		return t
	}
	return "\x1b[" + code + "m" + t + "\x1b[0m"
}
