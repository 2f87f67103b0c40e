// Package demotest plays a chapter's demo in a test, as `go run` does, on the tests' cluster.
//
//	func TestDemo(t *testing.T) {
//		out := demotest.Play(t, demo())
//		demotest.Has(t, out, "< ADDED white", "6 of 6")
//	}
package demotest

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// Limit is how long a demo may take: "well under a minute" alone on a machine, and here others are tested beside it, on
// a cluster that may be slow. What it needs to begin with (servers, kubectl) is not its time.
const Limit = 4 * time.Minute

// page is the widest line of a demo.
const page = 100

// maxQuestions is how many questions a chapter may ask: a room has no patience for more.
const maxQuestions = 3

// Play plays the demo with the arguments, which has to end well, and returns what it printed. The output fits the page,
// has no colours, and ends with the namespace deleted.
func Play(t *testing.T, d lab.Demo, args ...string) (out string) {
	t.Helper()
	code, out := run(t, d, "", args)
	require.Equal(t, 0, code, out)
	played(t, out)
	return out
}

// played checks what each output has: its lines fit, and the namespace is deleted at the end.
func played(t *testing.T, out string) {
	t.Helper()
	fits(t, out)
	require.Contains(t, out, "is deleted.", "the namespace of the run")
}

// fits checks that each line has its place on the page, and no colour outside a terminal.
func fits(t *testing.T, out string) {
	t.Helper()
	for line := range strings.Lines(out) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), page, line)
	}
	require.NotContains(t, out, "\x1b")
}

// Fails plays the demo, one step of which has to fail, and returns what it printed.
func Fails(t *testing.T, d lab.Demo, args ...string) (out string) {
	t.Helper()
	code, out := run(t, d, "", args)
	require.Equal(t, 1, code, out)
	return out
}

// Refused plays the demo with arguments that it has to refuse before it starts anything, and returns what it said.
func Refused(t *testing.T, d lab.Demo, args ...string) (out string) {
	t.Helper()
	code, out := run(t, d, "", args)
	require.Equal(t, 2, code, out)
	require.Contains(t, out, "usage: go run ./chapters/"+d.Chapter)
	require.NotContains(t, out, "Namespace ", "nothing was started")
	return out
}

// Questions checks what every demo has in common, lists the given one, and plays it with -step: questions are
// predictions with answers, three at most, and each is asked before its step and answered at its end. It returns what
// was printed, which has all that [Play] has: a demo that takes long need not be played a second time for it.
func Questions(t *testing.T, d lab.Demo) (out string) {
	t.Helper()
	asked := 0
	for _, s := range d.Steps {
		require.Equal(t, s.Question == "", s.Answer == "", "%s: a question has an answer", s.Title)
		if s.Question != "" {
			require.True(t, strings.HasSuffix(s.Question, "?"), s.Question)
			asked++
		}
	}
	require.Positive(t, asked, "a demo asks what will happen")
	require.LessOrEqual(t, asked, maxQuestions)
	code, list := run(t, d, "", []string{"-list"})
	require.Equal(t, 0, code, list)
	fits(t, list)
	require.NotContains(t, list, "Namespace ", "a list plays nothing")
	waits := len(d.Steps) - 1 + asked
	code, out = run(t, d, strings.Repeat("\n", waits), []string{"-step"})
	require.Equal(t, 0, code, out)
	require.Equal(t, waits, strings.Count(out, "[Enter]"), "between the steps, and after each question")
	for _, s := range d.Steps {
		if s.Question != "" {
			Has(t, out, "? "+s.Question+" [Enter]", "? Answer: "+s.Answer)
		}
	}
	out = strings.ReplaceAll(out, "[Enter]", "[Enter]\n") // a terminal shows the line feed that is typed
	played(t, out)
	return out
}

// Has checks that the output has these texts, with blanks and line breaks squeezed: columns move with what stands in
// them.
func Has(t *testing.T, out string, texts ...string) {
	t.Helper()
	squeezed := strings.Join(strings.Fields(out), " ")
	for _, text := range texts {
		require.Contains(t, squeezed, text, out)
	}
}

// run plays a demo.
func run(t *testing.T, d lab.Demo, in string, args []string) (code int, out string) {
	t.Helper()
	cluster.Shared(t) // starting, and perhaps building, it is not the demo's time
	ctx, cancel := context.WithTimeout(t.Context(), Limit)
	defer cancel()
	var b bytes.Buffer
	code = lab.Run(ctx, d, args, strings.NewReader(in), &b)
	return code, b.String()
}
