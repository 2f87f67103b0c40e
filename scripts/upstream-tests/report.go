package main

import (
	"fmt"
	"io"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/upstreamtests"
)

// line says in one line how a test ended.
func line(r upstreamtests.Result) string {
	word, says := "pass", ""
	if !r.Outcome.Passed {
		word, says = "FAIL", r.Outcome.Says
	}
	return fmt.Sprintf("%s  %-9s %s (%.1fs)  %s", word, r.Row.Mechanism, r.Row.Test, r.Outcome.Took.Seconds(), says)
}

// report says what is not as the list says, and the score of each mechanism.
func report(w io.Writer, list upstreamtests.List, results []upstreamtests.Result, outputs bool) {
	for _, r := range results {
		reason := list.Reasons[r.Row.Fails]
		switch {
		case r.Unexpected() && r.Outcome.Passed:
			fmt.Fprintf(w, "%s:%d: %s passes, and the list says that it fails\n", upstreamtests.ListFile, r.Row.Line, r.Row.Test)
		case r.Unexpected():
			fmt.Fprintln(w, line(r))
			if outputs {
				fmt.Fprintln(w, r.Outcome.Output)
			}
		case r.Flaky != "":
			fmt.Fprintf(w, "FLAKY: %s failed, and then passed: %s\n", r.Row.Test, r.Flaky)
		case r.Row.Fails != "" && !r.Outcome.Passed && !r.LeftOut:
			fmt.Fprintf(w, "as known: %s fails: %s (%s)\n", r.Row.Test, reason.Cell, reason.File)
		}
	}
	fmt.Fprintf(w, "\n%-10s %8s %8s %12s %15s\n", "", "passed", "failed", "not offered", "not applicable")
	scores := upstreamtests.Count(results)
	leftOut := 0
	for _, m := range upstreamtests.Mechanisms() {
		s := scores[m]
		if s == nil {
			continue
		}
		leftOut += s.LeftOut
		fmt.Fprintf(w, "%-10s %8d %8d %12d %15d\n", m, s.Passed, s.Failed, s.NotOffered, s.NotApplicable)
	}
	if leftOut > 0 {
		fmt.Fprintf(w, "%d left out under the race detector: the test itself races\n", leftOut)
	}
}
