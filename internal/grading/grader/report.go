package grader

import (
	"encoding/json"
	"io"
	"runtime"
	"time"
)

// A Summary counts results.
type Summary struct {
	Exercises    int `json:"exercises"`
	Passed       int `json:"passed"`
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

// ExitCode is 0 if all attempted exercises pass (strict: all exercises), 1 if not, 2 if the grader itself failed.
func (s Summary) ExitCode(strict bool) int {
	switch {
	case s.Errors > 0:
		return 2
	case s.Failed > 0 || strict && s.NotAttempted > 0:
		return 1
	}
	return 0
}

// ReportVersion changes when a field of the JSON report changes its meaning or goes away.
const ReportVersion = 1

// A Report is what grading wrote down for a program. docs/courses.md describes its fields.
type Report struct {
	Version    int       `json:"version"`
	Submission string    `json:"submission,omitempty"` // the folder that was graded with -from
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
