package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grader"
)

// classReport is the JSON report of -each.
type classReport struct {
	Version     int             `json:"version"`
	Submissions []grader.Report `json:"submissions"`
}

// each grades every folder in the -from folder, several at a time, and prints a line for each. quiet is called
// before the first.
func each(ctx context.Context, w, stdout io.Writer, exercises []grader.Exercise, f flags, o grader.Options,
	quiet func()) (int, error) {
	names, err := submissions(f.from)
	if err != nil {
		return 2, err
	}
	parallel := max(1, o.Parallel)
	o.Parallel = 1
	reports := make([]chan grader.Report, len(names))
	slots := make(chan struct{}, parallel)
	for i, name := range names {
		reports[i] = make(chan grader.Report, 1)
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			o := o
			o.From = filepath.Join(f.from, name)
			reports[i] <- grader.NewReport(grader.Grade(ctx, exercises, o), name, o.Race, time.Now())
		}()
	}
	class, code := classReport{Version: grader.ReportVersion, Submissions: []grader.Report{}}, 0
	for _, c := range reports {
		r := <-c
		if ctx.Err() != nil {
			return 2, errors.New("interrupted")
		}
		quiet()
		s := r.Summary
		fmt.Fprintf(w, "%-40s %3d of %d points  %2d passed %2d failed %2d not attempted\n", cut(r.Submission, 40),
			s.Points, s.Possible, s.Passed, s.Failed, s.NotAttempted)
		for _, res := range r.Results {
			if res.Status == grader.Errored {
				fmt.Fprintf(w, "  %s could not be graded: %s\n", res.Exercise, cut(strings.Join(strings.Fields(res.Error), " "), 70))
			}
		}
		class.Submissions = append(class.Submissions, r)
		code = max(code, s.ExitCode(f.strict))
	}
	return code, write(f.json, stdout, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(class)
	})
}

// submissions lists the folders in a folder, in order. Links are left out: they may lead anywhere.
func submissions(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("-each: no folders in %s", dir)
	}
	return names, nil
}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
