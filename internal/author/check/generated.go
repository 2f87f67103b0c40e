package check

import (
	"context"
	"regexp"
	"strings"
)

var generatedCheck = Check{
	Name:   "generated",
	Guards: "deep copies, CRDs, roles and apply configurations are what the types in chapters/*/api give",
	Slow:   true,
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		out, err := generate(ctx, t, "-check")
		if err == nil {
			return nil, nil
		}
		var found []Finding
		for line := range strings.Lines(out) {
			if file, what, ok := strings.Cut(strings.TrimSpace(line), " is not what "); ok {
				found = append(found, Finding{file, 0, "is not what " + what, "go run ./scripts/check -fix generated"})
			}
		}
		if len(found) == 0 {
			found = append(found, Finding{"", 0, strings.TrimSpace(out), "mend what controller-gen says"})
		}
		return found, nil
	},
	Fix: func(ctx context.Context, t *Tree) ([]string, error) {
		out, _ := generate(ctx, t)
		var wrote []string
		for line := range strings.Lines(out) {
			if file, ok := strings.CutPrefix(strings.TrimSpace(line), "wrote "); ok {
				wrote = append(wrote, file)
			}
		}
		return wrote, nil
	},
}

func generate(ctx context.Context, t *Tree, args ...string) (string, error) {
	root, err := FindRoot()
	if err != nil {
		return "", err
	}
	args = append([]string{"-C", "scripts/tools", "run", "./generate", "-dir", t.Root}, args...)
	return command(ctx, NewTree(root), "go", args...)
}

// generatedLine is how Go marks what no person wrote: https://go.dev/s/generatedcode.
var generatedLine = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// isGenerated says whether a Go file was generated: nobody can make it shorter.
func isGenerated(source []byte) bool { return generatedLine.Match(source) }
