package check

import (
	"context"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof"
)

var solutionsCheck = Check{
	Name: "solutions",
	Guards: "each wrong solution merges with its base and type-checks, and its header names a test and a sentence " +
		"that exist; each broken mechanism merges with its base",
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		if stubs, err := t.Match("chapters/*/exercises/*/exercise.go"); err != nil || len(stubs) == 0 {
			return nil, err
		}
		exercises, err := grader.Course{Root: t.Root, Dir: t.Root}.Find()
		if err != nil {
			return nil, err
		}
		problems, err := proof.Quick(ctx, t.Root, exercises)
		var found []Finding
		_, more := proof.Mechanisms(t.Root, "*")
		for _, p := range append(problems, more...) {
			found = append(found, solutionFinding(p))
		}
		return found, err
	},
}

var problemForm = regexp.MustCompile(`(?s)^((?:solutions|chapters)/[^:]*?)(?::(\d+))?:? (.*)$`)

// solutionFinding splits what the proof says: a path, perhaps a line, and what is wrong there.
func solutionFinding(problem string) Finding {
	const mend = "mend the file; `go run ./scripts/verify-exercises -show NAME` prints what it merges to"
	m := problemForm.FindStringSubmatch(problem)
	if m == nil {
		return Finding{"", 0, problem, mend}
	}
	line, _ := strconv.Atoi(m[2])
	return Finding{strings.TrimSuffix(path.Clean(m[1]), "/"), line, m[3], mend}
}
