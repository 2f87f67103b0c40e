package proof

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// Quick finds in seconds what keeps the solutions of exercises from being proven: one that can't be read or merged, a
// header that names no test or no sentence of the assignment, a program that does not type-check. Each problem begins
// with a path from the root of the course. An exercise whose solutions were withheld has none.
func Quick(ctx context.Context, root string, exercises []grader.Exercise) (problems []string, err error) {
	var all []Solution
	for _, e := range exercises {
		if withheld(e) {
			continue
		}
		solutions, some := Solutions(e)
		if stubText, err := e.Stub(); err == nil {
			some = append(some, headers(e, stubText, solutions)...)
		}
		for _, p := range some {
			if !strings.HasPrefix(p, "solutions/") {
				p = fmt.Sprintf("%s: %s", SolutionPath(e, ""), p)
			}
			problems = append(problems, p)
		}
		all = append(all, solutions...)
	}
	untyped, err := TypeCheck(ctx, root, all)
	return append(problems, untyped...), err
}

// withheld reports whether somebody took the solutions away, to hand the exercise out.
func withheld(e grader.Exercise) bool {
	_, alt := os.Stat(filepath.Join(e.SolutionDir(), "alt"))
	_, wrong := os.Stat(filepath.Join(e.SolutionDir(), "wrong"))
	return os.IsNotExist(alt) && os.IsNotExist(wrong)
}
