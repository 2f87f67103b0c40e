package numbers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The table is benchstat's own, of two runs.
const table = `goos: linux
goarch: amd64
pkg: example.com/watch
cpu: Some CPU
,ours,,upstream,,,
,sec/op,CI,sec/op,CI,vs base,P
Stream/size=270B-2,0.00305,2%,0.00905,1%,~,p=0.333 n=6
Write/matching=0-2,3.04e-06,1%
geomean,9.565563234854503e-05,,0.009050000000000002,,+196.72%,

,ours,,upstream,,,
,events/s,CI,events/s,CI,vs base,P
Stream/size=270B-2,325000,2%,96500,1%,~,p=0.333 n=6
geomean,324999.9999999999,,96499.99999999997,,-70.31%,
`

func page(t *testing.T) Page {
	t.Helper()
	rows, err := readTables(table)
	require.NoError(t, err)
	var p Page
	p.Put(Section{Dir: "chapters/01-raw-watch/watch", Rows: rows,
		Machine: "linux/amd64, 2 cores", Command: "go run ./scripts/bench", Date: "2026-11-22"})
	return p
}

// What is written is what is read: the document loses nothing but digits.
func TestDocumentAndParse(t *testing.T) {
	p := page(t)
	text := string(p.Document())
	require.Contains(t, text, "| Stream/size=270B | sec/op | 3.05 ms ± 2% | 9.05 ms ± 1% | 2.97 |")
	require.Contains(t, text, "| Write/matching=0 | sec/op | 3.04 µs ± 1% |  |  |")
	require.Contains(t, text, "| Stream/size=270B | events/s | 325 000 ± 2% | 96 500 ± 1% | 3.37 |")
	again, err := Parse([]byte(text))
	require.NoError(t, err)
	require.Equal(t, p.Sections[0].Machine, again.Sections[0].Machine)
	require.Equal(t, text, string(again.Document()))
}

// What is measured anew says so for itself, and leaves the other sections as they are, also their last digits.
func TestAnotherSection(t *testing.T) {
	first := page(t)
	again, err := Parse(first.Document())
	require.NoError(t, err)
	again.Put(Section{Dir: "chapters/04-store/store", Machine: "another", Command: "c", Date: "2026-12-01"})
	require.True(t, strings.HasPrefix(string(again.Document()), string(first.Document())))
	require.Contains(t, string(again.Document()), "Measured on 2026-12-01 with `c`, on another.")
}

func TestFigures(t *testing.T) {
	for text, want := range map[string]Figure{
		"ours reads 330 000":     {"330 000", 330000, "", 2},
		"one write takes 3.0 µs": {"3.0 µs", 3e-6, "µs", 2},
		"and 34 ms ":             {"34 ms", 34e-3, "ms", 2},
		"of 0.75":                {"0.75", 0.75, "", 2},
	} {
		got, ok := LastFigure(text)
		require.True(t, ok, text)
		require.InDelta(t, want.Value, got.Value, want.Value*1e-9, text)
		got.Value = want.Value
		require.Equal(t, want, got, text)
	}
	_, ok := LastFigure("no figure here")
	require.False(t, ok)
}

// A figure is right when the page's value, rounded as the figure is, reads the same.
func TestCitations(t *testing.T) {
	p := page(t)
	right := "It reads 330 000<!-- number: watch.Stream/size=270B/impl=ours events/s --> a second,\n" +
		"a write takes 3.0 µs<!-- number: watch.Write/matching=0/impl=ours sec/op -->."
	for _, c := range Citations(right) {
		want, err := c.Wrong(p)
		require.NoError(t, err)
		require.Equal(t, "", want, c.Name)
	}
	wrong := "It reads 340 000<!-- number: watch.Stream/size=270B/impl=ours events/s --> a second,\n" +
		"a write takes 4.1 µs<!-- number: watch.Write/matching=0/impl=ours sec/op -->."
	right = strings.Replace(right, "330 000", "320 000", 1) // 325 000 may be rounded either way
	require.Equal(t, right, Update(wrong, Citations(wrong), p))
	require.Equal(t, 2, Citations(wrong)[1].Line)
	for _, unknown := range []string{"watch.Nothing/impl=ours sec/op",
		"watch.Write/matching=0/impl=upstream sec/op", "Stream"} {
		_, err := p.Find(unknown)
		require.Error(t, err, unknown)
	}
}

func TestFormat(t *testing.T) {
	for want, c := range map[string]struct {
		value float64
		unit  string
	}{
		"1.00 s": {0.9996, "sec/op"}, "999 ms": {0.9991, "sec/op"}, "12.3 ns": {1.23e-8, "sec/op"},
		"1.50 kB":    {1500, "B/op"},
		"0.00100 ns": {1e-12, "sec/op"}, "0": {0, "allocs/op"}, "2.00": {2, "allocs/op"},
		"1 230 000": {1234567, "events/s"},
	} {
		require.Equal(t, want, Format(c.value, c.unit, 3))
	}
}
