package grader

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Status is what became of an exercise.
type Status string

// The three things that an exercise can be, and a grader that could not work.
const (
	Passed       Status = "passed"
	Failed       Status = "failed"
	NotAttempted Status = "not attempted"
	Errored      Status = "error" // the grader could not do its work: nobody's mistake
)

// Reason says what kind of failure it is.
type Reason string

// The reasons for a failure.
const (
	ReasonExpectation Reason = "expectation" // a graded test's own check
	ReasonCompile     Reason = "compile"     // the file does not compile, alone or with its tests
	ReasonFile        Reason = "file"        // exercise.go is missing, empty, no plain file, of another package
	ReasonGiven       Reason = "given"       // a given file was edited or deleted
	ReasonPanic       Reason = "panic"
	ReasonHang        Reason = "hang"
	ReasonExit        Reason = "exit" // the process ended in the middle of it
	ReasonLeak        Reason = "leak" // goroutines were left behind
	ReasonRace        Reason = "race"
	ReasonOutput      Reason = "output" // it printed too much
	ReasonMemory      Reason = "memory"
	ReasonMissing     Reason = "missing" // a graded test reported nothing, or was skipped
)

// A Failure is the one message about a failed exercise.
type Failure struct {
	Reason   Reason `json:"reason"`
	Test     string `json:"test,omitempty"` // the test that showed it
	Line     int    `json:"line,omitempty"` // in exercise.go, where one is known
	Expected string `json:"expected,omitempty"`
	Happened string `json:"happened"`
	PointsTo string `json:"pointsTo,omitempty"`
	Also     string `json:"also,omitempty"` // what else was seen
}

// Text is the message as one line.
func (f Failure) Text() string {
	var parts []string
	for _, p := range []struct{ name, text string }{
		{"Expected: ", f.Expected}, {"Happened: ", f.Happened}, {"Points to: ", f.PointsTo}, {"Also: ", f.Also},
	} {
		if p.text != "" {
			parts = append(parts, p.name+p.text)
		}
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// A TestResult is what one graded test reported.
type TestResult struct {
	Name    string   `json:"name"`
	Outcome string   `json:"outcome"` // pass, fail, skip, or missing
	Seconds float64  `json:"seconds"`
	Failure *Failure `json:"failure,omitempty"`
	// FailedParts are the names of its subtests that failed.
	FailedParts []string `json:"failedParts,omitempty"`
}

// A Result is the verdict on one exercise.
type Result struct {
	Exercise string       `json:"exercise"` // "01.2"
	Chapter  string       `json:"chapter"`
	Title    string       `json:"title"`
	File     string       `json:"file"`
	Source   string       `json:"source,omitempty"` // the file that was graded, of a submission that has one
	Status   Status       `json:"status"`
	Points   int          `json:"points"`
	Possible int          `json:"possible"`
	Seconds  float64      `json:"seconds"`
	Race     bool         `json:"race"` // the tests ran under the race detector
	Failure  *Failure     `json:"failure,omitempty"`
	Error    string       `json:"error,omitempty"`
	Notes    []string     `json:"notes,omitempty"`
	Tests    []TestResult `json:"tests,omitempty"`
}

func newResult(e Exercise, race bool) Result {
	return Result{Exercise: e.ID, Chapter: e.Chapter, Title: e.Title, File: e.File(), Possible: e.Stars, Race: race}
}

func (r Result) failed(f *Failure) Result {
	f.shorten()
	r.Status, r.Failure = Failed, f
	return r
}

func (r Result) errored(err error) Result {
	r.Status, r.Error = Errored, cut(err.Error(), maxText)
	return r
}

func (r Result) took(d time.Duration) Result {
	r.Seconds = float64(d.Milliseconds()) / 1000
	return r
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
