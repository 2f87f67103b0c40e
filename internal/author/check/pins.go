package check

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/pins"
)

var pinsCheck = Check{
	Name:   "pins",
	Guards: "every place that names a version names the pinned one",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		if !t.Exists("scripts/controlplane/go.mod") {
			return nil, nil // a test's tree pins nothing
		}
		wrong, err := pins.Check(t.Root)
		if err != nil {
			return nil, err
		}
		var found []Finding
		for _, m := range wrong {
			found = append(found, Finding{m.File, m.Line, m.Text,
				"write the pinned version; go run ./scripts/pins lists them"})
		}
		return found, nil
	},
}
