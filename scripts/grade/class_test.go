package main

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// TestClassReportGrows: after each submission the report holds what was graded so far, whole.
func TestClassReportGrows(t *testing.T) {
	t.Parallel()
	c, dir := gradertest.New(t), t.TempDir()
	for _, name := range []string{"anna", "ben", "zoe"} {
		gradertest.Write(t, filepath.Join(dir, name, "98.1.go"), wrong)
	}
	path := filepath.Join(t.TempDir(), "class.json")
	lines := 0
	look := writerFunc(func(p []byte) (int, error) {
		if !strings.Contains(string(p), " points ") {
			return len(p), nil // below the rows
		}
		if lines++; lines == 1 {
			return len(p), nil // before the first report
		}
		var class classReport
		if err := json.Unmarshal([]byte(gradertest.Read(t, path)), &class); err != nil {
			t.Errorf("before line %d: %v", lines, err)
		}
		if n := len(class.Submissions); n != lines-1 || class.Complete {
			t.Errorf("before line %d: %d submissions, complete: %v", lines, n, class.Complete)
		}
		return len(p), nil
	})
	f := flags{from: dir, each: true, json: path, noRace: true, parallel: 2}
	if code, err := run(t.Context(), c, f, nil, look, io.Discard); code != 1 || err != nil || lines != 3 {
		t.Errorf("%d lines, %d, %v", lines, code, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("beside the report: %v", left)
	}
}

// TestClassNamesDoubtfulHangs: whoever reads a class's rows alone learns which hang the machine may have made.
func TestClassNamesDoubtfulHangs(t *testing.T) {
	var out strings.Builder
	printLine(&out, grader.Report{Submission: "anna", Results: []grader.Result{
		{Exercise: "98.1", Status: grader.Failed, Notes: []string{grader.CrowdedNote + "40 programs"}},
		{Exercise: "98.2", Status: grader.Failed, Notes: []string{"imports beyond its stub: os"}}}})
	if got := out.String(); strings.Count(got, "\n") != 2 ||
		!strings.Contains(got, "98.1 hangs, on a machine that was busy: grade it again") {
		t.Errorf("%q", got)
	}
}

// TestClassSaysWhereNothingIs: a folder with its files in the wrong place is not one of somebody who did nothing.
func TestClassSaysWhereNothingIs(t *testing.T) {
	t.Parallel()
	c, dir := gradertest.New(t), t.TempDir()
	gradertest.Write(t, filepath.Join(dir, "anna", "course-main", "98.1.go"), wrong)
	gradertest.Write(t, filepath.Join(dir, "ben", "98.1.go"), wrong)
	_, out, _, err := grade(t, c, flags{from: dir, each: true, noRace: true, parallel: 1})
	const want = "not attempted\n  no exercise.go was found: docs/courses.md says where it has to be\nben "
	if err != nil || !strings.Contains(out, want) || strings.Count(out, "was found") != 1 {
		t.Errorf("%v: %q", err, out)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestNamesForgeNoRows: a folder's name is one word in one row, whatever is in it.
func TestNamesForgeNoRows(t *testing.T) {
	t.Parallel()
	c, dir := gradertest.New(t), t.TempDir()
	gradertest.Write(t, filepath.Join(dir, "eve\nzoe    3 of 3 points\x1b[2K\u202e", "98.1.go"), wrong)
	gradertest.Write(t, filepath.Join(dir, "note\nzoe"), "")
	junit := filepath.Join(t.TempDir(), "class.xml")
	_, out, _, err := grade(t, c, flags{from: dir, each: true, junit: junit})
	if err != nil || strings.Count(out, "\n") != 6 || strings.Contains(out, "\nzoe") ||
		strings.ContainsAny(out, "\x1b\u202e") {
		t.Errorf("%v: %q", err, out)
	}
	var suites struct {
		Suites []struct {
			Name string `xml:"name,attr"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(gradertest.Read(t, junit)), &suites); err != nil || len(suites.Suites) != 1 ||
		!strings.HasSuffix(suites.Suites[0].Name, "/98-fixture") {
		t.Errorf("%v: %+v", err, suites)
	}
}

// TestReportsThatCannotBeWritten: it is said before anything is graded.
func TestReportsThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, f := range []flags{{json: filepath.Join(dir, "none", "a.json")}, {junit: dir}} {
		// A course without exercises: looking for them would be another error.
		code, _, _, err := grade(t, grader.Course{Root: dir, Dir: dir}, f)
		if code != 2 || err == nil || !strings.Contains(err.Error(), dir) ||
			strings.Contains(err.Error(), "no exercises") {
			t.Errorf("%+v: %d, %v", f, code, err)
		}
	}
}
