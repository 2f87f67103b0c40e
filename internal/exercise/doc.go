// Package exercise is what the graded tests of an exercise call: it skips a stub that nobody has touched, states a
// failure so that the grader finds it and a learner learns from it, and watches over what a learner's code may do
// to its test: hang, leak, eat all memory.
//
// # Touched
//
// A stub is generated from the reference solution (package stub). A graded test is skipped as "not attempted" while
// exercise.go equals that stub as syntax. Under `go test` [Attempted] compares the file in the test's own folder. The
// grader compares before it compiles anything, and then says so with the environment variable SCRATCH_GRADED, since
// it overlays the file it grades, and a file overlaid is not the one that a test would read.
//
// # Verdicts
//
// [Fail] and its siblings print the verdict for a reader and, through [testing.T.Attr], as one line of JSON that
// `go test -json` reports as an attribute of the test. The first verdict of a test is the one that counts.
package exercise
