package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// TestClassIsToldWhatItMet: what most of a class met comes first, with their names.
func TestClassIsToldWhatItMet(t *testing.T) {
	t.Parallel()
	c, dir := gradertest.NewStaged(t), t.TempDir()
	sum := func(name, body string) {
		gradertest.Write(t, filepath.Join(dir, name, "98.1.go"),
			"package sum\n\nfunc Sum(numbers []int) int {\n\t"+body+"\n}\n")
	}
	sum("anna", "return 5")
	sum("ben", "if len(numbers) == 3 {\n\t\treturn 6\n\t}\n\tif numbers == nil {\n\t\treturn 0\n\t}\n\treturn 1")
	sum("eve", "return 7 // another number, and the same failure")
	gradertest.Write(t, filepath.Join(dir, "zoe", "98.1.go"), right)
	_, out, _, err := grade(t, c, flags{from: dir, each: true}, "98.1")
	want := "\nWhat they met:\n" +
		"  2 of 4  98.1 stage 1  it was 5\n" +
		"                        anna, eve\n" +
		"  1 of 4  98.1 stage 2  the belief that an empty slice is no slice.\n" +
		"                        ben\n"
	if err != nil || !strings.HasSuffix(out, want) {
		t.Errorf("%v:\n%s\nwant at its end:%s", err, out, want)
	}
}

// TestMeetings: verdicts of different tests are different ones, and a stage that nobody began is no misconception.
func TestMeetings(t *testing.T) {
	said := func(name, test, happened string, unwritten ...string) grader.Report {
		return grader.Report{Submission: name, Results: []grader.Result{{Exercise: "98.1",
			Failure: &grader.Failure{Test: test, Happened: happened},
			Stages:  []grader.StageResult{{Stage: 1, Outcome: grader.StageAtHand, Unwritten: unwritten}}}}}
	}
	var out strings.Builder
	printMeetings(&out, []grader.Report{{Submission: "zoe", Results: []grader.Result{{Status: grader.Passed}}}})
	if out.Len() > 0 {
		t.Errorf("of a class that met nothing: %q", &out)
	}
	reports := []grader.Report{said("a", "TestA", "it was 1"), said("b", "TestB", "it was 1"),
		said("c", "TestC", "it was -1", "Sum")}
	busy := said("d", "TestD", "it hangs")
	busy.Results[0].Notes = []string{grader.CrowdedNote + "40 programs"}
	reports = append(reports, busy)
	if got := fmt.Sprint(meetings(reports)); got != "[{98.1 stage 1 it was 1 [a]} {98.1 stage 1 it was 1 [b]} "+
		"{98.1 stage 1 not begun: Sum as in the stub [c]}]" {
		t.Error(got)
	}
	for range 200 {
		reports = append(reports, said("some\x1b[2Kbody of a long name", "TestA", strings.Repeat("word ", 200)))
	}
	printMeetings(&out, reports)
	if !strings.Contains(out.String(), "200 of 204") || !strings.Contains(out.String(), "and 188") ||
		strings.Contains(out.String(), "\x1b") {
		t.Error(out.String())
	}
	for line := range strings.Lines(out.String()) {
		if utf8.RuneCountInString(line) > columns+1 {
			t.Errorf("wider than a terminal: %q", line)
		}
	}
}

// TestClassWithoutEach: a folder of submissions that is graded as one's is told of -each; one's own is not.
func TestClassWithoutEach(t *testing.T) {
	t.Parallel()
	c, dir := gradertest.New(t), t.TempDir()
	gradertest.Write(t, filepath.Join(dir, "anna", "98.1.go"), wrong)
	gradertest.Write(t, filepath.Join(dir, "ben", "98.2", "exercise.go"), wrong)
	gradertest.Write(t, filepath.Join(dir, "notes", "a.txt"), "")
	_, out, _, err := grade(t, c, flags{from: dir})
	if err != nil || !strings.Contains(out, "submissions of several: anna, ben. The same command with EACH=1") {
		t.Errorf("%v: %s", err, out)
	}
	for _, one := range []string{filepath.Join(dir, "anna"), filepath.Join(dir, "notes")} {
		if _, out, _, err := grade(t, c, flags{from: one}); err != nil || strings.Contains(out, "several") {
			t.Errorf("%s: %v: %s", one, err, out)
		}
	}
}
