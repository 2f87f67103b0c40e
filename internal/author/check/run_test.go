package check

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// found is a check that finds this.
func found(name string, findings ...Finding) Check {
	return Check{Name: name, Run: func(context.Context, *Tree) ([]Finding, error) { return findings, nil }}
}

// TestReportEndsWithTheFindings: what was found is the last that stands on the screen, in the checks' order, and fits.
func TestReportEndsWithTheFindings(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 60))
	checks := []Check{found("first", Finding{"b.go", 2, long, "write " + long}, Finding{"a.go", 1, "x", "y"}),
		found("good"), {Name: "broken", Run: func(context.Context, *Tree) ([]Finding, error) {
			return nil, errors.New("no tool")
		}}, found("last", Finding{"", 0, "one\n  two   three", "z"})}
	var out bytes.Buffer
	n, err := Run(t.Context(), NewTree(t.TempDir()), checks, false, &out)
	require.ErrorContains(t, err, "broken: no tool")
	require.Equal(t, 3, n)
	lines, told, _ := strings.Cut(out.String(), "\nfirst: 2 findings\n")
	for _, name := range []string{"first", "good", "broken", "last"} {
		require.Equal(t, 1, strings.Count("\n"+lines, "\n"+name+" "), "%s:\n%s", name, lines)
	}
	require.True(t, strings.HasPrefix(told, "  a.go:1: x\n      mend: y\n  b.go:2: word word "), told)
	require.True(t, strings.HasSuffix(told, "\nlast: 1 finding\n  one\n    two   three\n      mend: z\n"), told)
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), widest, line)
	}
}

// TestACureStandsBelowAllThatItMends: findings in a row with the same cure share it.
func TestACureStandsBelowAllThatItMends(t *testing.T) {
	var out bytes.Buffer
	report(&out, Check{Name: "c"}, []Finding{{"a", 1, "x", "p"}, {"a", 2, "x", "q"}, {"a", 3, "x", "q"}})
	require.Equal(t, "\nc: 3 findings\n  a:1: x\n      mend: p\n  a:2: x\n  a:3: x\n      mend: q\n", out.String())
}

// TestAnInterruptIsNoFinding: a check that was ended in its middle has found nothing, and none begins after it.
func TestAnInterruptIsNoFinding(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stopped := Check{Name: "stopped", Alone: true, Run: func(ctx context.Context, _ *Tree) ([]Finding, error) {
		cancel()
		return []Finding{{"", 0, ctx.Err().Error(), "run it by hand"}}, nil
	}}
	next := Check{Name: "next", Alone: true, Run: func(context.Context, *Tree) ([]Finding, error) {
		return nil, errors.New("it began")
	}}
	var out bytes.Buffer
	n, err := Run(ctx, NewTree(t.TempDir()), []Check{stopped, stopped, next, next}, false, &out)
	require.ErrorIs(t, err, context.Canceled)
	require.NotContains(t, err.Error(), "it began")
	require.Zero(t, n)
	require.Empty(t, out.String())
}

// TestAnInterruptKeepsFindings: what a check has found before the end is told. Of two workers the second waits, so the
// third check begins when the first is done.
func TestAnInterruptKeepsFindings(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	waits := Check{Name: "waits", Run: func(ctx context.Context, _ *Tree) ([]Finding, error) {
		<-ctx.Done()
		return nil, nil
	}}
	ends := Check{Name: "ends", Run: func(context.Context, *Tree) ([]Finding, error) {
		cancel()
		return nil, nil
	}}
	var out bytes.Buffer
	n, err := Run(ctx, NewTree(t.TempDir()),
		[]Check{found("whole", Finding{"a.go", 1, "x", "y"}), waits, ends}, false, &out)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, n)
	require.Contains(t, out.String(), "\nwhole: 1 finding\n  a.go:1: x\n")
}
