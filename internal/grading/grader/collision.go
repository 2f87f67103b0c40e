package grader

import "regexp"

var collides = regexp.MustCompile(`^(?:method )?(\S+) (?:redeclared in this block|already declared (?:through dot-import|at))`)

// collision is for a name of the learner's that the tests declare too. The tests' file is no learner's to look into.
func collision(text string) *Failure {
	m := collides.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	return &Failure{Reason: ReasonCompile, Expected: "exercise.go compiles with its tests",
		Happened: "exercise.go declares " + m[1] + ", and the tests use that name: yours needs another one"}
}

// testsFailure is for a compiler's error about the tests: they are as they were handed out, so exercise.go lacks
// something, or has it in another form.
func testsFailure(text string) *Failure {
	return &Failure{Reason: ReasonCompile, Expected: "the tests compile with exercise.go",
		Happened: "in the tests that call it: " + oneLine(text)}
}
