package grader

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// gradescopeResults is Gradescope's results.json, as its page "Autograder Specifications" describes it.
type gradescopeResults struct {
	ExecutionTime int              `json:"execution_time"` // seconds
	Output        string           `json:"output"`
	OutputFormat  string           `json:"output_format"`
	Visibility    string           `json:"visibility"`
	Stdout        string           `json:"stdout_visibility"`
	Tests         []gradescopeTest `json:"tests"`
}

type gradescopeTest struct {
	Score        int    `json:"score"`
	MaxScore     int    `json:"max_score"`
	Status       string `json:"status"` // passed or failed
	Name         string `json:"name"`
	Number       string `json:"number"`
	Output       string `json:"output,omitempty"`
	OutputFormat string `json:"output_format"`
}

// WriteGradescope writes the report as Gradescope's results.json: a test for each exercise. A report with an exercise
// that could not be graded is no verdict, and is refused: Gradescope then says that the autograder failed, and runs it
// again when it is asked to, where zero points would stand as the student's.
func (r Report) WriteGradescope(w io.Writer) error {
	out := gradescopeResults{OutputFormat: "text", Visibility: "visible", Stdout: "hidden", Tests: []gradescopeTest{}}
	seconds := 0.0
	for _, res := range r.Results {
		seconds += res.Seconds
		t := gradescopeTest{Score: res.Points, MaxScore: res.Possible, Status: "failed", Name: legal(res.Title),
			Number: res.Exercise, OutputFormat: "text"}
		var lines []string
		switch res.Status {
		case Passed:
			t.Status = "passed"
		case NotAttempted:
			lines = append(lines, "Not attempted.")
		case Failed:
			lines = append(lines, failureLines(res.Failure)...)
		default:
			return fmt.Errorf("no report for Gradescope: %s could not be graded: %s", res.Exercise, res.Error)
		}
		for _, note := range res.Notes {
			lines = append(lines, "Note: "+note)
		}
		t.Output = legal(strings.Join(lines, "\n"))
		out.Tests = append(out.Tests, t)
	}
	out.ExecutionTime = int(math.Ceil(seconds))
	s := r.Summary
	out.Output = fmt.Sprintf("%d of %d passed: %d of %d points", s.Passed, s.Exercises, s.Points, s.Possible)
	if !r.Race {
		out.Output += "; without the race detector"
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// failureLines is the message about a failure, a line for each part.
func failureLines(f *Failure) []string {
	var lines []string
	for _, p := range []struct{ name, text string }{
		{"Test", f.Test}, {"Expected", f.Expected}, {"Happened", f.Happened}, {"Points to", f.PointsTo},
		{"Also", f.Also},
	} {
		if p.text != "" {
			lines = append(lines, p.name+": "+p.text)
		}
	}
	return lines
}
