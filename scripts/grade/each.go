package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// classReport is the JSON report of -each.
type classReport struct {
	Version     int             `json:"version"`
	Complete    bool            `json:"complete"` // false while submissions are still to be graded
	Submissions []grader.Report `json:"submissions"`
}

func (c classReport) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(c)
}

// write writes the report to a file; on standard output, which can't be written anew, only when it is complete.
func (c classReport) write(file reportFile, report func(io.Writer) error) error {
	if file.path == "-" && !c.Complete {
		return nil
	}
	return file.write(report)
}

func (c classReport) writeJUnit(w io.Writer) error { return grader.WriteClassJUnit(w, c.Submissions) }

// each grades every folder in the -from folder, several at a time, and prints a line for each. Report files are written
// after each submission, so that whatever ends the grader ends with those that it has. quiet is called before the
// first line.
func each(ctx context.Context, w io.Writer, course grader.Course, exercises []grader.Exercise, f flags,
	o grader.Options, quiet func(), asJSON, asJUnit reportFile) (int, error) {
	names, strays, err := submissions(f.from)
	if err != nil {
		return 2, err
	}
	if exercises, err = grader.ReadHandouts(exercises); err != nil {
		return 2, err
	}
	commit := course.Commit(ctx)
	reports := gradeAll(ctx, names, exercises, f, o)
	class, code := classReport{Version: grader.ReportVersion, Submissions: []grader.Report{}}, 0
	for i, c := range reports {
		r := <-c
		if ctx.Err() != nil {
			for _, c := range reports[i+1:] {
				<-c // each ends its processes and removes its files
			}
			return 2, fmt.Errorf("interrupted after %d of %d submissions", len(class.Submissions), len(names))
		}
		r.Commit = commit
		quiet()
		printLine(w, r)
		f.demand().PrintShort(w, r.Results)
		class.Submissions = append(class.Submissions, r)
		class.Complete = len(class.Submissions) == len(names)
		code = max(code, grader.ExitCode(r.Results, f.demand()))
		if err := errors.Join(class.write(asJSON, class.writeJSON),
			class.write(asJUnit, class.writeJUnit)); err != nil {
			return 2, err
		}
	}
	printMeetings(w, class.Submissions)
	for _, name := range strays {
		fmt.Fprintf(w, "not graded: %s, a file beside the folders\n", label(name))
	}
	return code, nil
}

// gradeAll starts grading, and returns where each folder's report will come, in their order.
func gradeAll(ctx context.Context, names []string, exercises []grader.Exercise, f flags,
	o grader.Options) []chan grader.Report {
	reports := make([]chan grader.Report, len(names))
	slots := make(chan struct{}, max(1, o.Parallel))
	o.Parallel = 1
	for i, name := range names {
		reports[i] = make(chan grader.Report, 1)
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				close(reports[i])
				return
			}
			o := o
			o.From = filepath.Join(f.from, name)
			reports[i] <- grader.NewReport(grader.Grade(ctx, exercises, o), name, o.Race, time.Now())
		}()
	}
	return reports
}

func printLine(w io.Writer, r grader.Report) {
	s := r.Summary
	fmt.Fprintf(w, "%-30s %3d of %d points  %2d passed %2d in progress %2d failed %2d not attempted\n",
		term.Clip(label(r.Submission), 30), s.Points, s.Possible, s.Passed, s.InProgress, s.Failed, s.NotAttempted)
	there := func(res grader.Result) bool { return !res.NotFound() }
	if len(r.Results) > 0 && !slices.ContainsFunc(r.Results, there) {
		fmt.Fprintln(w, "  no exercise.go was found: docs/courses.md says where it has to be")
	}
	for _, res := range r.Results {
		if res.Doubtful() {
			fmt.Fprintf(w, "  %s hangs, on a machine that was busy: grade it again\n", res.Exercise)
		}
		if res.Status == grader.Errored {
			fmt.Fprintf(w, "  %s could not be graded: %s\n", res.Exercise,
				term.Clip(label(strings.Join(strings.Fields(res.Error), " ")), 70))
		}
	}
}

// label is a name as a terminal may be shown it: one with a line break in it would make a row of its own.
func label(name string) string {
	for _, r := range name {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return strconv.Quote(name)
		}
	}
	return name
}

// submissions lists the folders in a folder, in order, and what else lies there. Links are no folders: they may lead
// anywhere.
func submissions(dir string) (folders, strays []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), "."), e.Name() == "__MACOSX": // what macOS puts beside a zip file's folders
		case e.IsDir():
			folders = append(folders, e.Name())
		default:
			strays = append(strays, e.Name())
		}
	}
	if len(folders) == 0 {
		return nil, nil, fmt.Errorf("-each: %s holds no folders; without -each it is graded as one submission", dir)
	}
	return folders, strays, nil
}
