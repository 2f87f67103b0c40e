package grader_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// TestGradescope: the fields that the service's specification names, of the types that it gives them, and no others.
func TestGradescope(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	report := grader.NewReport(sample[:3], "", false, time.Unix(1e9, 0))
	if err := report.WriteGradescope(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		ExecutionTime int    `json:"execution_time"`
		Output        string `json:"output"`
		OutputFormat  string `json:"output_format"`
		Visibility    string `json:"visibility"`
		Stdout        string `json:"stdout_visibility"`
		Tests         []struct {
			Score        float64 `json:"score"`
			MaxScore     float64 `json:"max_score"`
			Status       string  `json:"status"`
			Name         string  `json:"name"`
			Number       string  `json:"number"`
			Output       string  `json:"output"`
			OutputFormat string  `json:"output_format"`
		} `json:"tests"`
	}
	decoder := json.NewDecoder(&out)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.ExecutionTime != 2 || got.Stdout != "hidden" || got.Visibility != "visible" || len(got.Tests) != 3 ||
		got.Output != "1 of 3 passed, 1 failed, 1 not attempted: 1 of 6 points; without the race detector" {
		t.Errorf("%+v", got)
	}
	passed, failed, skipped := got.Tests[0], got.Tests[1], got.Tests[2]
	if passed.Score != 1 || passed.MaxScore != 1 || passed.Status != "passed" || passed.Number != "01.1" {
		t.Errorf("%+v", passed)
	}
	if failed.Score != 0 || failed.MaxScore != 2 || failed.Status != "failed" ||
		!strings.HasPrefix(failed.Output, "Test: TestFollow\nExpected: a long sentence") ||
		strings.ContainsAny(failed.Output, "\x00\x1b") {
		t.Errorf("%+v", failed)
	}
	if skipped.Score != 0 || skipped.Status != "failed" || skipped.Output != "Not attempted." {
		t.Errorf("%+v", skipped)
	}
	// What the grader could not do is nobody's zero.
	out.Reset()
	err := grader.NewReport(sample, "", true, time.Unix(1e9, 0)).WriteGradescope(&out)
	if err == nil || !strings.Contains(err.Error(), "02.2 could not be graded: disk full") || out.Len() > 0 {
		t.Errorf("%v: %s", err, out.String())
	}
}
