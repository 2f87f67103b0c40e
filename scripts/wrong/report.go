package main

import (
	"bytes"
	"fmt"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof"
)

// report says what was written, what a learner is shown for it, and what is left to do.
func report(e grader.Exercise, file string, text []byte, verdict grader.Result) {
	fmt.Printf("wrote %s, %d lines\n", file, bytes.Count(text, []byte("\n")))
	if verdict.Failure == nil {
		fmt.Println("It passes every test. Is it right? Then it belongs into alt/. If it is wrong, a test is missing:")
		fmt.Println("write that, then name it in the header.")
	} else {
		fmt.Printf("%s: %s\n", verdict.Failure.Test, verdict.Failure.Text())
	}
	if bytes.Contains(text, []byte(proof.Unwritten)) {
		fmt.Printf("Fill in what is %s. The first line is either\n", proof.Unwritten)
		fmt.Println("  // Misconception: what somebody who writes this believes, or")
		fmt.Println("  // Breaks: a sentence of the assignment, quoted as it stands in the stub's comments")
	}
	fmt.Printf("Then: go run ./scripts/verify-exercises %s\n", e.ID)
}
