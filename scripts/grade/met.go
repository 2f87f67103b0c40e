package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// columns of the terminal that everything fits.
const columns = 100

// A meeting is one verdict, and those of a class who were told it.
type meeting struct {
	where string // "01.2 stage 3"
	text  string // the belief that it points to, or what happened where it points to none
	who   []string
}

// apart are the pieces of a verdict in which two that say the same may differ: numbers, and what is quoted.
var apart = regexp.MustCompile(`\d+|"[^"]*"`)

// meetings gathers who was told the same, what most were told first.
func meetings(reports []grader.Report) []meeting {
	var all []meeting
	at := map[string]int{}
	for _, r := range reports {
		for _, res := range r.Results {
			m, ok := meet(res)
			if !ok {
				continue
			}
			key := m.where + res.Failure.Test + apart.ReplaceAllString(m.text, "")
			i, known := at[key]
			if !known {
				i, at[key] = len(all), len(all)
				all = append(all, m)
			}
			all[i].who = append(all[i].who, r.Submission)
		}
	}
	slices.SortStableFunc(all, func(a, b meeting) int {
		return cmp.Or(len(b.who)-len(a.who), cmp.Compare(a.where, b.where))
	})
	return all
}

// meet is what one result says, if it says why something is not passed. A hang that the machine may have made says
// nothing of whoever wrote the file.
func meet(res grader.Result) (m meeting, ok bool) {
	if res.Failure == nil || res.Doubtful() {
		return m, false
	}
	m = meeting{where: res.Exercise, text: cmp.Or(res.Failure.PointsTo, res.Failure.Happened)}
	if s, climbs := res.AtHand(); climbs {
		m.where += fmt.Sprintf(" stage %d", s.Stage)
		if len(s.Unwritten) > 0 {
			m.text = "not begun: " + strings.Join(s.Unwritten, ", ") + " as in the stub"
		}
	}
	return m, true
}

// printMeetings writes, below the rows of a class, what kept how many of it from what, and who they are.
func printMeetings(w io.Writer, reports []grader.Report) {
	all := meetings(reports)
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(w, "\nWhat they met:")
	for _, m := range all {
		line := fmt.Sprintf("%3d of %d  %-12s  ", len(m.who), len(reports), m.where)
		indent := len(line)
		text := term.Printable(strings.Join(strings.Fields(m.text), " "))
		for _, part := range term.Wrap(term.Clip(text, 240), columns-indent) {
			fmt.Fprintln(w, line+part)
			line = strings.Repeat(" ", indent)
		}
		for _, part := range term.Wrap(namesOf(m.who), columns-indent) {
			fmt.Fprintln(w, line+part)
		}
	}
}

// namesOf lists some of a class, and says how many there are besides.
func namesOf(who []string) string {
	const most = 12
	var labels []string
	for _, name := range who[:min(len(who), most)] {
		labels = append(labels, term.Clip(label(name), 30))
	}
	if len(who) > most {
		labels = append(labels, fmt.Sprintf("and %d more", len(who)-most))
	}
	return strings.Join(labels, ", ")
}

// holdsSubmissions names the folders of a folder that have something to be graded, where the folder itself has nothing.
func holdsSubmissions(dir string, exercises []grader.Exercise) (folders []string) {
	has := func(dir string) bool {
		return slices.ContainsFunc(exercises, func(e grader.Exercise) bool { return e.IsIn(dir) })
	}
	if has(dir) {
		return nil
	}
	all, _, err := submissions(dir)
	if err != nil {
		return nil // there are no folders
	}
	return slices.DeleteFunc(all, func(name string) bool { return !has(filepath.Join(dir, name)) })
}

// printClass says that a folder which was graded as somebody's has the look of a class's.
func printClass(w io.Writer, dir string, exercises []grader.Exercise) {
	folders := holdsSubmissions(dir, exercises)
	if len(folders) == 0 {
		return
	}
	text := "These look like submissions of several: " + namesOf(folders) +
		". The same command with EACH=1, or with -each before the chapter, grades each by itself."
	for _, line := range term.Wrap(text, columns) {
		fmt.Fprintln(w, line)
	}
}
