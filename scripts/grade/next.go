package main

import (
	"fmt"
	"io"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// printThen says what comes after an exercise that is passed: the next one, or the next chapter.
func printThen(w io.Writer, course grader.Course, passed grader.Result) {
	all, err := course.Find()
	if err != nil {
		return // the verdict was found, and is printed
	}
	for i, e := range all {
		switch {
		case i == 0 || all[i-1].ID != passed.Exercise:
		case e.Chapter == passed.Chapter:
			fmt.Fprintf(w, "then: make grade EX=%s, %s\n", e.ID, e.Title)
		default:
			fmt.Fprintf(w, "then: go run ./chapters/%s\n", e.Chapter)
		}
	}
}

// allPassed says whether each of one's own exercises that were graded is passed.
func allPassed(results []grader.Result) bool {
	for _, r := range results {
		if r.Status != grader.Passed || r.Source != "" {
			return false
		}
	}
	return len(results) > 0
}
