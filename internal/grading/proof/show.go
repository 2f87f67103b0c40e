package proof

import (
	"fmt"
	"go/format"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// Show gives the whole program of a solution, as the grader gets it: "01.2/wrong/readall", or "wrong/readall" or
// "readall" where one of the exercises alone has it. The program of a wrong solution can be put in the place of an
// exercise.go to see what a learner is shown; its header stands above it.
func Show(course grader.Course, selectors []string, name string) ([]byte, error) {
	if id, rest, ok := strings.Cut(name, "/"); ok && strings.ContainsAny(id, "0123456789") {
		selectors, name = []string{id}, rest
	}
	exercises, err := course.Find(selectors...)
	if err != nil {
		return nil, err
	}
	var found, known, problems []string
	var program []byte
	for _, e := range exercises {
		solutions, some := Solutions(e)
		problems = append(problems, some...)
		for _, s := range solutions {
			whole := e.ID + "/" + s.Name
			known = append(known, whole)
			if s.Name == name || path.Base(s.Name) == name {
				found, program = append(found, whole), append(header(course, e, s), s.Source...)
			}
		}
	}
	switch {
	case len(found) == 1:
		return format.Source(program)
	case len(found) > 1:
		return nil, fmt.Errorf("%s is more than one: %s", name, strings.Join(found, ", "))
	}
	if len(exercises) > 1 {
		return nil, fmt.Errorf("no solution is named %s: select an exercise, and its solutions are listed", name)
	}
	return nil, fmt.Errorf("no solution is named %s; there are: %s%s", name, strings.Join(known, ", "),
		strings.Join(append([]string{""}, problems...), "\n"))
}

// header is what a wrong solution's file says above its build constraint: what is wrong, and what catches it.
func header(course grader.Course, e grader.Exercise, s Solution) []byte {
	if !s.Wrong() {
		return nil
	}
	file, err := os.ReadFile(filepath.Join(course.Dir, filepath.FromSlash(SolutionPath(e, s.Name+".go"))))
	above, _, ok := strings.Cut(string(file), "//go:build")
	if err != nil || !ok {
		return nil // the quick check says what is wrong with the file
	}
	return []byte(above)
}
