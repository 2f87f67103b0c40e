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

// WriteGradescope writes the report as Gradescope's results.json: a test for each exercise, or each of its stages. A
// report with an exercise that could not be graded is no verdict, and is refused: Gradescope then says that the
// autograder failed, and runs it again when it is asked to, where zero points would stand as the student's.
func (r Report) WriteGradescope(w io.Writer) error {
	out := gradescopeResults{OutputFormat: "text", Visibility: "visible", Stdout: "hidden", Tests: []gradescopeTest{}}
	seconds := 0.0
	for _, res := range r.Results {
		if res.Status == Errored {
			return fmt.Errorf("no report for Gradescope: %s could not be graded: %s", res.Exercise, res.Error)
		}
		seconds += res.Seconds
		out.Tests = append(out.Tests, gradescopeTests(res)...)
	}
	out.ExecutionTime = int(math.Ceil(seconds))
	s := r.Summary
	out.Output = fmt.Sprintf("%s: %d of %d points", s.counts(), s.Points, s.Possible)
	if !r.Race {
		out.Output += "; without the race detector"
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// gradescopeTests makes a test of an exercise, or of each of its stages.
func gradescopeTests(r Result) (tests []gradescopeTest) {
	add := func(number, name string, points, possible int, lines []string) {
		t := gradescopeTest{Score: points, MaxScore: possible, Status: "failed", Name: legal(name), Number: number,
			OutputFormat: "text", Output: legal(strings.Join(lines, "\n"))}
		if points == possible {
			t.Status = "passed"
		}
		tests = append(tests, t)
	}
	why := failureLines(r.Failure)
	if r.Status == NotAttempted {
		why = []string{"Not attempted."}
	}
	for _, note := range r.Notes {
		why = append(why, "Note: "+note)
	}
	if len(r.Stages) == 0 {
		add(r.Exercise, r.Title, r.Points, r.Possible, why)
	}
	for _, s := range r.Stages {
		lines := []string{}
		switch {
		case s.Outcome == StageAtHand || r.Whole() && s.Stage == len(r.Stages):
			lines = why // with what is to be said of the exercise as a whole
		case s.Outcome == StageNotReached:
			lines = []string{strings.ToUpper(r.comesFirst()[:1]) + r.comesFirst()[1:] + "."}
		}
		add(fmt.Sprintf("%s.%d", r.Exercise, s.Stage), r.Title+": "+s.heading(), s.Points, 1, lines)
	}
	return tests
}

// failureLines is the message about a failure, a line for each part.
func failureLines(f *Failure) []string {
	var lines []string
	if f == nil {
		return nil
	}
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
