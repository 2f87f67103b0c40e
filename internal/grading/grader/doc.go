// Package grader grades exercises: it builds the tests of an exercise with somebody's exercise.go laid over the stub,
// runs them in a process of their own, and says in one message what became of it.
//
// The path of an exercise through the package:
//
//	Course.Find      which exercises there are, and which are asked for
//	readSubmission   the learner's file: is it one, and does it differ from the stub
//	Exercise.given   the tests and whatever else is handed out, read once: are they as they were
//	checkSource      what is refused without a build: other imports, directives, other constants and variables
//	build            go test -c -overlay; a compiler's errors become a verdict on the learner's line
//	run              the test binary with a time limit, its output limited, read to the end
//	judge            the events of test2json, and the rest of the output, become a [Result]
package grader
