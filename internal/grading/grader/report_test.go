package grader_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

var sample = []grader.Result{
	{Exercise: "01.1", Chapter: "01-raw-watch", Title: "Decode", File: "a/exercise.go", Status: grader.Passed,
		Points: 1, Possible: 1, Seconds: 1.5},
	{Exercise: "01.2", Chapter: "01-raw-watch", Title: "Follow", File: "b/exercise.go",
		Status: grader.Failed, Possible: 2,
		Failure: &grader.Failure{Reason: grader.ReasonExpectation, Test: "TestFollow", Line: 7,
			Expected: strings.Repeat("a long sentence & more ", 20),
			Happened: "<nasty> \x00\x1b[31m ]]> \xff \"quoted\"",
			PointsTo: strings.Repeat("x", 250)}},
	{Exercise: "02.1", Chapter: "02-list-then-watch", Title: strings.Repeat("Resume ", 20), Status: grader.NotAttempted,
		File: "c/exercise.go", Possible: 3},
	{Exercise: "02.2", Chapter: "02-list-then-watch", Title: "Page", Status: grader.Errored, Error: "disk full\nreally",
		File: "d/exercise.go", Possible: 1},
}

// TestJUnit: what a strict reader of JUnit's XML holds it to: well-formed, only known elements and attributes in
// their places, required ones there, counts that agree.
func TestJUnit(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	report := grader.NewReport(sample, "", true, time.Unix(1e9, 0))
	if err := report.WriteJUnit(&out); err != nil {
		t.Fatal(err)
	}
	children := map[string][]string{
		"":           {"testsuites"},
		"testsuites": {"testsuite"},
		"testsuite":  {"testcase"},
		"testcase":   {"skipped", "failure", "error"},
	}
	required := map[string][]string{
		"testsuites": {"tests", "failures", "errors", "time"},
		"testsuite":  {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"},
		"testcase":   {"name", "classname", "time"},
		"failure":    {"message", "type"}, "error": {"message", "type"}, "skipped": {"message"},
	}
	optional := map[string][]string{"testcase": {"file"}}
	path := []string{""}
	count := map[string]int{}
	dec := xml.NewDecoder(&out)
	dec.Strict = true
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if !slices.Contains(children[path[len(path)-1]], name) {
				t.Errorf("<%s> in <%s>", name, path[len(path)-1])
			}
			var have []string
			for _, a := range token.Attr {
				have = append(have, a.Name.Local)
				if !slices.Contains(append(required[name], optional[name]...), a.Name.Local) {
					t.Errorf("attribute %s of <%s>", a.Name.Local, name)
				}
				switch a.Name.Local {
				case "tests", "failures", "errors", "skipped":
					n, err := strconv.Atoi(a.Value)
					if err != nil {
						t.Error(err)
					}
					count[name+" "+a.Name.Local] += n
				case "time":
					if _, err := strconv.ParseFloat(a.Value, 64); err != nil {
						t.Error(err)
					}
				case "timestamp":
					if _, err := time.Parse("2006-01-02T15:04:05", a.Value); err != nil {
						t.Error(err)
					}
				}
			}
			for _, r := range required[name] {
				if !slices.Contains(have, r) {
					t.Errorf("<%s> lacks %s", name, r)
				}
			}
			count[name]++
			path = append(path, name)
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
	for what, want := range map[string]int{
		"testsuite": 2, "testcase": 4, "failure": 1, "error": 1, "skipped": 1, "testsuites tests": 4,
		"testsuite tests":     4,
		"testsuites failures": 1, "testsuite failures": 1, "testsuites errors": 1, "testsuite errors": 1,
		"testsuite skipped": 1,
	} {
		if count[what] != want {
			t.Errorf("%s: %d, want %d", what, count[what], want)
		}
	}
}

// TestJSON: the report is read back as it was, and has the fields that docs/courses.md names.
func TestJSON(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := grader.NewReport(sample, "anna", true, time.Unix(1e9, 0)).WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var report grader.Report
	dec := json.NewDecoder(bytes.NewReader(out.Bytes()))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&report); err != nil {
		t.Fatal(err)
	}
	s := report.Summary
	if s != (grader.Summary{Exercises: 4, Passed: 1, Failed: 1, NotAttempted: 1, Errors: 1, Points: 1, Possible: 7}) {
		t.Errorf("%+v", s)
	}
	if report.Version != grader.ReportVersion || report.Submission != "anna" || report.Results[1].Failure.Line != 7 {
		t.Errorf("%+v", report)
	}
	out.Reset()
	if err := grader.NewReport(nil, "", false, time.Now()).WriteJSON(&out); err != nil ||
		!strings.Contains(out.String(), `"results": []`) {
		t.Errorf("no results: %v %s", err, out.String())
	}
}

// TestText: every line fits a terminal of 100 columns, and the file to open is named for all that failed.
func TestText(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for _, r := range sample {
		grader.Print(&out, r, false)
	}
	grader.PrintSummary(&out, sample)
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"passed", "b/exercise.go", "d/exercise.go", "TestFollow",
		"1 of 4 passed, 1 failed, 1 not attempted, 1 could not be graded: 1 of 7 points", "make hint EX=01.2"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if strings.ContainsAny(out.String(), "\x00\x1b") {
		t.Error("a submission's control characters reach the terminal")
	}
}

// TestExitCode: as `grade -h` says.
func TestExitCode(t *testing.T) {
	t.Parallel()
	whole := func(s grader.Status) grader.Result {
		points := map[grader.Status]int{grader.Passed: 3}
		return grader.Result{Status: s, Points: points[s], Possible: 3}
	}
	staged := func(s grader.Status, points int) grader.Result {
		stages := make([]grader.StageResult, 4)
		stages[3].Hard = true
		return grader.Result{Status: s, Points: points, Possible: 4, Stages: stages}
	}
	ask := func(strict bool, stages int) grader.Demand { return grader.Demand{Strict: strict, Stages: stages} }
	for _, c := range []struct {
		results []grader.Result
		demand  grader.Demand
		want    int
	}{
		{[]grader.Result{whole(grader.Passed)}, ask(true, 0), 0},
		{[]grader.Result{whole(grader.NotAttempted)}, ask(false, 0), 0},
		{[]grader.Result{whole(grader.NotAttempted)}, ask(true, 0), 1},
		{[]grader.Result{whole(grader.NotAttempted)}, ask(false, 2), 0},
		{[]grader.Result{whole(grader.NotAttempted)}, ask(true, 2), 1},
		{[]grader.Result{whole(grader.Passed), whole(grader.Failed)}, ask(false, 0), 1},
		{[]grader.Result{whole(grader.Failed), whole(grader.Errored)}, ask(false, 0), 2},
		{[]grader.Result{whole(grader.Failed)}, ask(false, 1), 1},
		{[]grader.Result{whole(grader.Passed)}, ask(true, 4), 0},
		{[]grader.Result{staged(grader.Failed, 0)}, ask(false, 0), 1},
		{[]grader.Result{staged(grader.InProgress, 1)}, ask(false, 0), 0},
		{[]grader.Result{staged(grader.InProgress, 1)}, ask(true, 0), 1},
		{[]grader.Result{staged(grader.InProgress, 1)}, ask(false, 2), 1},
		{[]grader.Result{staged(grader.InProgress, 2)}, ask(true, 2), 0},
		{[]grader.Result{staged(grader.Passed, 3)}, ask(true, 0), 0}, // without the hard one
		{[]grader.Result{staged(grader.Passed, 3)}, ask(false, 4), 1},
		{[]grader.Result{staged(grader.Passed, 4)}, ask(false, 9), 0},
	} {
		if got := grader.ExitCode(c.results, c.demand); got != c.want {
			t.Errorf("%s %d, %+v: %d, want %d", c.results[0].Status, c.results[0].Points, c.demand, got, c.want)
		}
	}
}
