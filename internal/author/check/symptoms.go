package check

import (
	"context"
	"errors"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

var symptomsCheck = Check{
	Name:   "symptoms",
	Guards: "each row of docs/symptoms.md can be read by scripts/symptom, and says what in its messages is an example",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		source, err := t.Read(symptoms.File)
		if err != nil {
			return nil, nil // nothing to guard
		}
		_, err = symptoms.Parse(string(source))
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok {
			return nil, err
		}
		var found []Finding
		for _, err := range joined.Unwrap() {
			var fault symptoms.Fault
			if errors.As(err, &fault) {
				found = append(found, Finding{symptoms.File, fault.Line, fault.What,
					"write the row as the others are, then: go run ./scripts/symptom WORDS OF IT"})
			}
		}
		return found, nil
	},
}
