package check

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof"
)

var stagesCheck = Check{
	Name: "stages",
	Guards: "an exercise that climbs stays short: its assignment, its tests, its wrong solutions; and of all their second " +
		"authors' answers the right ones pass",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		if stubs, err := t.Match("chapters/*/exercises/*/stage1_test.go"); err != nil || len(stubs) == 0 {
			return nil, err
		}
		exercises, err := grader.Course{Root: t.Root, Dir: t.Root}.Find()
		if err != nil {
			return nil, err
		}
		var found []Finding
		var last []proof.Rate
		for _, e := range exercises {
			for _, p := range append(proof.Stages(e), proof.Limits(e)...) {
				found = append(found, Finding{e.File(), 0, p, "CONTRIBUTING.md, \"Add an exercise\", says what fits"})
			}
			if rates, _ := proof.ReadSecondAuthor(e); len(rates) > 0 { // a form that is wrong is the proof's to refuse
				last = append(last, rates[len(rates)-1])
			}
		}
		if err := proof.Gate(last); err != nil {
			found = append(found, Finding{"solutions", 0, err.Error(), "mend the graders, and ask other authors; " +
				"no assignment gets longer by it"})
		}
		return found, nil
	},
}
