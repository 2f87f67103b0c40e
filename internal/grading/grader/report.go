package grader

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"
)

// A Summary counts results.
type Summary struct {
	Exercises    int `json:"exercises"`
	Passed       int `json:"passed"`
	InProgress   int `json:"inProgress"`
	Failed       int `json:"failed"`
	NotAttempted int `json:"notAttempted"`
	Errors       int `json:"errors"`
	Points       int `json:"points"`
	Possible     int `json:"possible"`
}

// Summarize counts results.
func Summarize(results []Result) Summary {
	s := Summary{Exercises: len(results)}
	for _, r := range results {
		s.Points += r.Points
		s.Possible += r.Possible
		switch r.Status {
		case Passed:
			s.Passed++
		case InProgress:
			s.InProgress++
		case Failed:
			s.Failed++
		case NotAttempted:
			s.NotAttempted++
		default:
			s.Errors++
		}
	}
	return s
}

// counts says how many are what: "1 of 3 passed, 2 not attempted".
func (s Summary) counts() string {
	parts := []string{fmt.Sprintf("%d of %d passed", s.Passed, s.Exercises)}
	for _, p := range []struct {
		n    int
		what string
	}{{s.InProgress, "in progress"}, {s.Failed, "failed"}, {s.NotAttempted, "not attempted"},
		{s.Errors, "could not be graded"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}

// A Demand is what an exit status of 0 takes beyond that each attempted exercise has a stage, or is passed.
type Demand struct {
	Strict bool // all exercises are passed: what was not attempted fails, and so does what is in progress
	Stages int  // of an exercise with stages so many take the place of all; 0: one, or with Strict all
}

// met reports whether a result is what is asked for.
func (d Demand) met(r Result) bool {
	switch r.Status {
	case NotAttempted:
		return !d.Strict
	case Failed:
		return false
	}
	return r.Points >= d.points(r)
}

// points are how many of an exercise that was begun are asked for.
func (d Demand) points(r Result) int {
	needed := r.Possible
	if n := len(r.Stages); n > 0 && r.Stages[n-1].Hard {
		needed--
	}
	switch {
	case len(r.Stages) > 0 && d.Stages > 0:
		return min(d.Stages, r.Possible)
	case len(r.Stages) > 0 && !d.Strict:
		return 1
	}
	return needed
}

// PrintShort says of what is in progress or passed, and not what is asked for, how much is missing. Of the others the
// verdicts do.
func (d Demand) PrintShort(w io.Writer, results []Result) {
	for _, r := range results {
		if (r.Status == InProgress || r.Status == Passed) && !d.met(r) {
			fmt.Fprintf(w, "  %s has %d of the %d stages that are asked for\n", r.Exercise, r.Points, d.points(r))
		}
	}
}

// ExitCode is 0 if all results are what is asked for, 1 if not, 2 if the grader itself failed.
func ExitCode(results []Result, d Demand) int {
	code := 0
	for _, r := range results {
		switch {
		case r.Status == Errored:
			return 2
		case !d.met(r):
			code = 1
		}
	}
	return code
}

// ReportVersion changes when a field of the JSON report changes its meaning or goes away.
const ReportVersion = 2

// A Report is what grading wrote down for a program. docs/courses.md describes its fields.
type Report struct {
	Version    int       `json:"version"`
	Submission string    `json:"submission,omitempty"` // the folder that was graded with -from
	Commit     string    `json:"commit,omitempty"`     // of the course: what it asks for and counts as points
	Time       time.Time `json:"time"`
	Go         string    `json:"go"`
	Race       bool      `json:"race"`
	Summary    Summary   `json:"summary"`
	Results    []Result  `json:"results"`
}

// NewReport makes a report of results.
func NewReport(results []Result, from string, race bool, now time.Time) Report {
	if results == nil {
		results = []Result{}
	}
	return Report{Version: ReportVersion, Submission: from, Time: now.UTC().Truncate(time.Second),
		Go:   runtime.Version(),
		Race: race, Summary: Summarize(results), Results: results}
}

// WriteJSON writes the report.
func (r Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}
