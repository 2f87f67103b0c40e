package lab

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinesFitThePageAndKeepTheirSign(t *testing.T) {
	var b strings.Builder
	n := NewNarrator(&b, nil)
	long := strings.Repeat("é-123456789 ", 30)
	n.Heading("1/2", "Title")
	n.Say("%s", long)
	n.Command("%s", "kubectl get x")
	n.Sent("%s", long)
	n.Wire("%s", long)
	n.Event("ADDED", "%s", long)
	n.Event("X", "y")
	n.Became("%s", long)
	n.Changed("DELETED", "%s", long)
	n.Conclude("%s", long)
	n.Table([]string{"", "a"}, []string{"row", "12345"})
	for line := range strings.Lines(b.String()) {
		require.LessOrEqual(t, len([]rune(line)), 101, line)
	}
	require.Contains(t, b.String(), "\n   $ kubectl get x\n   > é-")
	require.Contains(t, b.String(), "more)...")
	require.Contains(t, b.String(), "   < ADDED    é-")
	require.Contains(t, b.String(), "   ~ DELETED  é-")
	require.Contains(t, b.String(), "              a\n     row  12345\n")
	require.NotContains(t, b.String(), "\x1b")
}

func TestAllOfWhatComesOutIsShown(t *testing.T) {
	var b strings.Builder
	NewNarrator(&b, nil).WireWhole(strings.Repeat("é-123456789 ", 30))
	for line := range strings.Lines(b.String()) {
		require.LessOrEqual(t, len([]rune(line)), 101, line)
	}
	require.Equal(t, 30, strings.Count(b.String(), "é-123456789"))
	require.Equal(t, 1, strings.Count(b.String(), "   < "), "the sign stands before the first line")
}

func TestCutSaysHowMuchIsMissing(t *testing.T) {
	got := cut(strings.Repeat("x", 200))
	require.LessOrEqual(t, len(got), Columns)
	require.Equal(t, 200, strings.Count(got, "x")+missing(t, got))
	require.LessOrEqual(t, len(cut(strings.Repeat("x", 100_079))), Columns, "as much is left out as has five digits")
	require.Equal(t, "short", cut("short"))
}

func missing(t *testing.T, s string) (n int) {
	t.Helper()
	_, s, _ = strings.Cut(s, "(")
	for _, c := range s {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}
