package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/hint"
)

const (
	right = "package sum\n\nfunc Sum(numbers []int) (s int) {\n\tfor _, n := range numbers {\n\t\ts += n\n\t}\n" +
		"\treturn\n}\n"
	wrong = "package sum\n\nfunc Sum(\n"
)

func grade(t *testing.T, c grader.Course, f flags, selectors ...string) (code int, stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	f.noRace, f.parallel = true, 2
	code, err = run(t.Context(), c, f, selectors, &out, &errs)
	return code, out.String(), errs.String(), err
}

// TestExitCodes: a fresh clone is no failure unless -strict says so.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	if code, out, _, err := grade(t, c, flags{}, "98"); code != 0 || err != nil ||
		!strings.Contains(out, "0 of 2 passed, 2 not attempted: 0 of 3 points") {
		t.Errorf("fresh: %d %v\n%s", code, err, out)
	}
	if code, _, _, _ := grade(t, c, flags{strict: true}, "98"); code != 1 {
		t.Errorf("fresh, strict: %d", code)
	}
	if code, _, _, err := grade(t, c, flags{}, "97"); code != 2 || err == nil {
		t.Errorf("no such chapter: %d, %v", code, err)
	}
	path := filepath.Join(gradertest.Exercises(t, c)[0].Dir(), "exercise.go")
	gradertest.Write(t, path, wrong)
	if code, _, _, _ := grade(t, c, flags{}, "98"); code != 1 {
		t.Errorf("wrong: %d", code)
	}
	gradertest.Write(t, path, right)
	if code, out, _, _ := grade(t, c, flags{}, "98.1"); code != 0 ||
		!strings.HasSuffix(out, "1 of 1 passed: 1 of 1 points\nnext: go run ./chapters/98-fixture/mine runs it on the "+
			"API server\nthen: make grade EX=98.2, A box\n") {
		t.Errorf("right: %d\n%s", code, out)
	}
	if code, out, _, _ := grade(t, c, flags{from: filepath.Join(c.Dir, "solutions"), strict: true}); code != 0 ||
		!strings.Contains(out, "2 of 2 passed") {
		t.Errorf("the reference solutions: %d\n%s", code, out)
	}
}

// TestStages: between one stage and all the exit status is 0, unless somebody asks for more; and `hint` learns which
// stage is at hand.
func TestStages(t *testing.T) {
	t.Parallel()
	c := gradertest.NewStaged(t)
	e := gradertest.Exercises(t, c, "98.1")[0]
	gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"),
		"package sum\n\nfunc Sum(numbers []int) int {\n\treturn numbers[0] + numbers[1] + numbers[2]\n}\n")
	report := filepath.Join(t.TempDir(), "r.json")
	code, out, _, err := grade(t, c, flags{json: report}, "98")
	if code != 0 || err != nil || !strings.Contains(out, "✓ 1  three numbers\n      ▸ 2  no numbers\n") ||
		!strings.Contains(out, "0 of 2 passed, 1 in progress, 1 not attempted: 1 of 5 points\n"+
			"a hint: make hint EX=98.1") {
		t.Errorf("%d, %v:\n%s", code, err, out)
	}
	if at := hint.AtHand(e, filepath.Join(c.Dir, ".lab")); at != 2 {
		t.Errorf("hint takes stage %d for the one at hand", at)
	}
	var r grader.Report
	if err := json.Unmarshal([]byte(gradertest.Read(t, report)), &r); err != nil || r.Version != 2 {
		t.Fatalf("%v: %+v", err, r)
	}
	if sum := r.Results[0]; sum.Status != grader.InProgress || len(sum.Stages) != 3 || sum.Stages[0].Points != 1 {
		t.Errorf("%+v", sum)
	}
	for f, want := range map[flags]int{{stages: 1}: 0, {stages: 2}: 1, {strict: true}: 1,
		{strict: true, stages: 1}: 1} {
		if code, _, _, err := grade(t, c, f, "98"); code != want || err != nil {
			t.Errorf("%+v: %d, %v", f, code, err)
		}
	}
	if _, out, _, _ := grade(t, c, flags{stages: 2}, "98"); !strings.Contains(out, "98.1 has 1 of the 2 stages that") {
		t.Errorf("an exit status of 1 without a word:\n%s", out)
	}
	if code, _, _, err := grade(t, c, flags{strict: true, stages: 1}, "98.1"); code != 0 || err != nil {
		t.Errorf("one stage of all that is asked for: %d, %v", code, err)
	}
	if code, _, _, err := grade(t, c, flags{stages: 10}); code != 2 || err == nil {
		t.Errorf("ten stages: %d, %v", code, err)
	}
}

// TestThen: what is passed is followed by the next exercise, or by the next chapter, or by nothing.
func TestThen(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	gradertest.Write(t, filepath.Join(c.Dir, "chapters/99-next/exercises/1-more/HINTS.md"), "# Hints: 99.1 More ★\n")
	staged := grader.Result{Exercise: "98.1", Chapter: "98-fixture", Status: grader.Passed, Points: 1, Possible: 1,
		Stages: []grader.StageResult{{Stage: 1, Outcome: grader.StagePassed}}}
	whole := grader.Result{Exercise: "98.2", Chapter: "98-fixture", Status: grader.Passed, Points: 2, Possible: 2}
	half, others, last := staged, whole, whole
	half.Possible, others.Source, last.Exercise = 2, "anna/exercise.go", "99.1"
	for _, x := range []struct {
		r    grader.Result
		want string
	}{
		{staged, "      stage 1 is passed: that was the last one\nthen: make grade EX=98.2, A box\n"},
		{whole, "then: go run ./chapters/99-next\n"},
		{half, "      stage 1 is passed: that was the last one\n"},
		{others, ""},
		{last, ""},
	} {
		var out bytes.Buffer
		printRise(&out, c, x.r)
		if out.String() != x.want {
			t.Errorf("got\n%s\nwant\n%s", out.String(), x.want)
		}
	}
	if allPassed(nil) || allPassed([]grader.Result{whole, others}) || !allPassed([]grader.Result{staged, whole}) {
		t.Error("all passed, or not")
	}
}

// TestClimbed: whoever watches is told what was passed just now, and what comes next.
func TestClimbed(t *testing.T) {
	t.Parallel()
	stages := []grader.StageResult{{Stage: 1, Title: "one", Outcome: grader.StagePassed},
		{Stage: 2, Title: "two", Outcome: grader.StageAtHand}, {Stage: 3, Title: "three", Hard: true}}
	if got := climbed(grader.Result{Stages: stages}); got != "stage 1 is passed; next: stage 2, two" {
		t.Error(got)
	}
	stages[1].Outcome, stages[2].Outcome = grader.StagePassed, grader.StageAtHand
	if got := climbed(grader.Result{Stages: stages}); got != "stage 2 is passed, and with it the exercise; "+
		"next, if you like: stage 3, three" {
		t.Error(got)
	}
	stages[2].Outcome = grader.StagePassed
	if got := climbed(grader.Result{Stages: stages}); got != "stage 3 is passed: that was the last one" {
		t.Error(got)
	}
}

// TestReports: a report on standard output is alone there, and one in a file is whole.
func TestReports(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	junit := filepath.Join(t.TempDir(), "junit.xml")
	code, out, errs, err := grade(t, c, flags{json: "-", junit: junit})
	if code != 0 || err != nil {
		t.Fatal(code, err)
	}
	var report grader.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Results) != 2 {
		t.Errorf("%v: %s", err, out)
	}
	if !strings.Contains(errs, "98.1  Add numbers") {
		t.Errorf("the reader's report is not on stderr: %s", errs)
	}
	if err := xml.Unmarshal([]byte(gradertest.Read(t, junit)), new(any)); err != nil {
		t.Error(err)
	}
}

// TestEach: a line and a report for every folder.
func TestEach(t *testing.T) {
	t.Parallel()
	c, dir := gradertest.New(t), t.TempDir()
	gradertest.Write(t, filepath.Join(dir, "anna", "98.1.go"), right)
	gradertest.Write(t, filepath.Join(dir, "ben", "98", "1-sum", "exercise.go"), wrong)
	gradertest.Write(t, filepath.Join(dir, "zoe", "README"), "")
	gradertest.Write(t, filepath.Join(dir, "README"), "no submission")
	if err := os.Symlink(c.Dir, filepath.Join(dir, "link")); err != nil {
		t.Log(err)
	}
	report := filepath.Join(t.TempDir(), "class.json")
	code, out, _, err := grade(t, c, flags{from: dir, each: true, json: report})
	if code != 1 || err != nil {
		t.Fatal(code, err)
	}
	var class classReport
	if err := json.Unmarshal([]byte(gradertest.Read(t, report)), &class); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range class.Submissions {
		got = append(got, s.Submission, string(s.Results[0].Status))
	}
	if want := "anna passed ben failed zoe not attempted"; strings.Join(got, " ") != want || !class.Complete {
		t.Errorf("%v, want %s\n%s", got, want, out)
	}
	if !strings.Contains(out, "not graded: README, a file beside the folders") {
		t.Errorf("a stray file is passed over without a word:\n%s", out)
	}
}

func TestFlagsThatDoNotGoTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	there, link := filepath.Join(dir, "there"), filepath.Join(dir, "link")
	gradertest.Write(t, there, "")
	if err := os.Symlink(there, link); err != nil {
		t.Skip(err)
	}
	for _, f := range []flags{{each: true}, {each: true, from: ".", watch: true}, {watch: true, json: "x"},
		{json: "-", junit: "-"}, {from: "/does/not/exist"}, {json: "x", junit: "./x"}, {json: there, junit: link},
		{json: dir + "/new", junit: dir + "/./new"}} {
		if err := f.check(); err == nil {
			t.Errorf("%+v is accepted", f)
		}
	}
	for _, f := range []flags{{json: "x", junit: "y"}, {json: there, junit: dir + "/new"},
		{json: os.DevNull, junit: os.DevNull}} {
		if err := f.check(); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// TestGradescopeReport: it comes out alone, and where it can't be right not at all.
func TestGradescopeReport(t *testing.T) {
	t.Parallel()
	c, dir := gradertest.New(t), t.TempDir()
	gradertest.Write(t, filepath.Join(dir, "98.1.go"), right)
	code, out, _, err := grade(t, c, flags{from: dir, gradescope: "-"}, "98")
	var results struct {
		Tests []struct {
			Score  int    `json:"score"`
			Status string `json:"status"`
		} `json:"tests"`
	}
	if jsonErr := json.Unmarshal([]byte(out), &results); code != 0 || err != nil || jsonErr != nil ||
		len(results.Tests) != 2 || results.Tests[0].Status != "passed" || results.Tests[1].Score != 0 {
		t.Errorf("%d, %v, %v: %s", code, err, jsonErr, out)
	}
	for _, f := range []flags{{from: dir, each: true, gradescope: "-"}, {watch: true, gradescope: "-"},
		{json: "-", gradescope: "-"}, {json: filepath.Join(dir, "a"), gradescope: filepath.Join(dir, "a")}} {
		if code, _, _, err := grade(t, c, f, "98"); code != 2 || err == nil {
			t.Errorf("%+v: %d, %v", f, code, err)
		}
	}
}
