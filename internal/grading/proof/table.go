package proof

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// PrintRow writes a row of the kill table; with messages also what a learner is shown.
func PrintRow(w io.Writer, r Row, messages bool) {
	mark, what := "ok ", r.Message
	if !r.OK {
		mark = "BAD"
	}
	if r.OK && r.Wrong() && r.Test != "" {
		what = "killed by " + r.Test
		if r.Race {
			what += ", with -race"
		}
	}
	if !r.OK {
		what = ""
	}
	fmt.Fprintf(w, "  %s  %-34s %-50s %5.1f s\n", mark, r.Solution, term.Clip(what, 50), r.Seconds)
	if r.Flaky != "" {
		for _, line := range term.Wrap("FLAKY: "+r.Solution+", proven at the second try. The first: "+r.Flaky, 92) {
			fmt.Fprintf(w, "       %s\n", line)
		}
	}
	if !r.OK || messages && r.Test != "" && r.Solution != "stub" {
		for _, line := range term.Wrap(r.Message, 92) {
			fmt.Fprintf(w, "       %s\n", line)
		}
	}
}

// PrintProblems writes what was found without running anything.
func PrintProblems(w io.Writer, r Report) {
	for _, p := range r.Problems {
		for i, line := range term.Wrap(p, 92) {
			mark := "BAD"
			if i > 0 {
				mark = "   "
			}
			fmt.Fprintf(w, "  %s  %s\n", mark, line)
		}
	}
}

// PrintSummary names the tests that no wrong solution needs, repeats what is not as it should be, broken mechanisms
// too, and counts the solutions.
func PrintSummary(w io.Writer, reports []Report, broken []Row, took time.Duration) {
	printUnneeded(w, reports)
	printUnsaid(w, reports)
	wrong, killed, right, passed, problems, left := 0, 0, 0, 0, 0, 0
	for _, r := range reports {
		problems += len(r.Problems)
		left += r.Left
		for _, row := range r.Rows {
			switch {
			case row.Wrong():
				wrong++
				if row.OK {
					killed++
				}
			case row.Solution != "stub":
				right++
				if row.OK {
					passed++
				}
			case !row.OK:
				problems++
			}
		}
	}
	printBad(w, reports, broken)
	fmt.Fprintf(w, "\n%d of %d wrong solutions killed as their headers say, %d of %d right ones pass, %d problems; %v\n",
		killed, wrong, passed, right, problems, took.Round(100*time.Millisecond))
	if left > 0 {
		fmt.Fprintf(w, "That is a sample: %d more solutions were not run. Nothing that they depend on has changed since all were proven, "+
			"says\n%s beside them; make verify-exercises without SAMPLE runs them.\n", left, ProvenFile)
	}
}

// printBad repeats, where a reader of a long log looks first, what is not as it should be, or was not at first.
func printBad(w io.Writer, reports []Report, broken []Row) {
	var bad strings.Builder
	show := func(id string, rows []Row) {
		for _, row := range rows {
			if !row.OK || row.Flaky != "" {
				row.Solution = id + row.Solution
				PrintRow(&bad, row, false)
			}
		}
	}
	for _, r := range reports {
		PrintProblems(&bad, r)
		show(r.Exercise.ID+" ", r.Rows)
	}
	show("", broken)
	if bad.Len() > 0 {
		fmt.Fprintf(w, "\nNot as it should be, or not at first:\n%s", &bad)
	}
}

// printUnneeded names the tests that catch no wrong solution first. Such a test may guard what nobody gets wrong, or a
// requirement whose wrong solution is still to be written.
func printUnneeded(w io.Writer, reports []Report) {
	title := "\nTests that no wrong solution needs:\n"
	for _, r := range reports {
		if unneeded := r.Unneeded(); r.OK() && len(unneeded) > 0 {
			fmt.Fprint(w, title)
			title = ""
			for _, line := range term.Wrap(r.Exercise.ID+"  "+strings.Join(unneeded, ", "), 98) {
				fmt.Fprintln(w, "  "+line)
			}
		}
	}
}

// printUnsaid names the texts that no wrong solution is told. Such a text is for a misconception that nobody has
// written down yet, or can't be said at all.
func printUnsaid(w io.Writer, reports []Report) {
	title := "\nBeliefs without a wrong solution:\n"
	for _, r := range reports {
		for _, text := range r.Unsaid {
			fmt.Fprint(w, title)
			title = ""
			fmt.Fprintf(w, "  %s  %s\n", r.Exercise.ID, term.Clip(text, 92))
		}
	}
}
