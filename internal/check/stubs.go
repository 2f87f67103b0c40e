package check

import "context"

var stubsCheck = Check{
	Name:   "stubs",
	Guards: "each stub is what its reference solution gives",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) { return nil, nil },
}

var pinsCheck = Check{
	Name:   "pins",
	Guards: "every place that names a version names the pinned one",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) { return nil, nil },
}
var evidenceCheck = Check{
	Name:   "evidence",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) { return nil, nil },
}
var upstreamCheck = Check{
	Name:   "upstream",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) { return nil, nil },
}
var commandsCheck = Check{
	Name:   "commands",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) { return nil, nil },
}
var recordingsCheck = Check{
	Name:   "recordings",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) { return nil, nil },
}
var picturesCheck = Check{
	Name:   "pictures",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) { return nil, nil },
}
var generatedDocs = map[string]bool{"docs/claims.md": true, "docs/concepts.md": true}
