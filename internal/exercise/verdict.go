package exercise

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Attribute is the key under which a verdict stands in the output of `go test -json`.
const Attribute = "exercise.verdict"

// Kind says what ended a test when it was not an expectation.
type Kind string

// What can be wrong besides an expectation that is not met.
const (
	KindExpectation Kind = ""       // a graded test's own check
	KindHang        Kind = "hang"   // the time limit of a test passed
	KindLeak        Kind = "leak"   // goroutines were left behind
	KindMemory      Kind = "memory" // the heap grew past the limit
)

// A Verdict says why a graded test fails. It never says how to repair it.
type Verdict struct {
	// Expected is what a right solution does, with the input at hand: "3 events, the last a DELETED".
	Expected string `json:"expected,omitempty"`
	// Happened is what the test saw: "2 events; the stream's last line was missing".
	Happened string `json:"happened,omitempty"`
	// PointsTo is the belief that leads there: "a line longer than a buffer is taken for the end of the stream".
	PointsTo string `json:"pointsTo,omitempty"`
	// Kind is set by this package.
	Kind Kind `json:"kind,omitempty"`
}

// String writes the verdict as a learner reads it.
func (v Verdict) String() string {
	var b strings.Builder
	for _, part := range []struct{ name, text string }{
		{"Expected: ", v.Expected}, {"Happened: ", v.Happened}, {"Points to: ", v.PointsTo},
	} {
		if part.text != "" {
			fmt.Fprintf(&b, "\n%s%s", part.name, part.text)
		}
	}
	return b.String()
}

// TB is what a verdict is given to: a *testing.T, a testing.TB, or a *rapid.T.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Fail fails the test with a verdict and ends it. Like t.Fatal it belongs on the test's own goroutine.
func Fail(t TB, v Verdict) {
	t.Helper()
	attr(t, v)
	t.Fatalf("%s", v)
}

// Report fails the test with a verdict and lets it go on. Any goroutine may call it while the test runs.
func Report(t TB, v Verdict) {
	t.Helper()
	attr(t, v)
	t.Errorf("%s", v)
}

// Expect is Fail unless ok.
func Expect(t TB, ok bool, v Verdict) {
	t.Helper()
	if !ok {
		Fail(t, v)
	}
}

func attr(t TB, v Verdict) {
	a, ok := t.(interface{ Attr(key, value string) })
	if !ok {
		return // rapid's T: the grader reads the text
	}
	line, err := json.Marshal(v) // escapes newlines, which an attribute may not hold
	if err == nil {
		a.Attr(Attribute, string(line))
	}
}
