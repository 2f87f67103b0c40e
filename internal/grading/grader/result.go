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

// What an exercise can be, and a grader that could not work.
const (
	Passed       Status = "passed"
	InProgress   Status = "in progress" // some of its stages are passed, and not all that it takes
	Failed       Status = "failed"      // also an exercise with stages of which none is passed
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
	Outcome string   `json:"outcome"` // pass, fail, skip, missing, or not run: a stage below it is not passed
	Seconds float64  `json:"seconds"`
	Failure *Failure `json:"failure,omitempty"`
	// FailedParts are the names of its subtests that failed.
	FailedParts []string `json:"failedParts,omitempty"`
}

// A Result is the verdict on one exercise.
type Result struct {
	Exercise string  `json:"exercise"` // "01.2"
	Chapter  string  `json:"chapter"`
	Title    string  `json:"title"`
	Stars    int     `json:"stars"` // how hard
	File     string  `json:"file"`
	Source   string  `json:"source,omitempty"` // the file that was graded, of a submission that has one
	Status   Status  `json:"status"`
	Points   int     `json:"points"`
	Possible int     `json:"possible"`
	Seconds  float64 `json:"seconds"`
	Race     bool    `json:"race"` // the tests ran under the race detector
	// Failure is why it failed; where there are stages, why the one at hand is not passed.
	Failure *Failure      `json:"failure,omitempty"`
	Error   string        `json:"error,omitempty"`
	Notes   []string      `json:"notes,omitempty"`
	Stages  []StageResult `json:"stages,omitempty"`
	Tests   []TestResult  `json:"tests,omitempty"`
}

// newResult is that of an exercise of which nothing is passed yet. Points are its stages, or its stars.
func newResult(e Exercise, race bool) Result {
	r := Result{Exercise: e.ID, Chapter: e.Chapter, Title: e.Title, Stars: e.Stars, File: e.File(), Possible: e.Stars,
		Race: race}
	if e.handout == nil {
		return r
	}
	return r.climb(e.handout.stages, 0)
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
