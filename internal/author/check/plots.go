package check

import (
	"context"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/numbers"
)

var plotsCheck = Check{
	Name:   "plots",
	Guards: "the picture at the top of docs/numbers.md shows the page's figures",
	Slow:   true,
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		if _, err := t.Read(numbers.File); err != nil {
			return nil, nil
		}
		out, err := drawPlots(ctx, t, "-check")
		if err == nil {
			return nil, nil
		}
		return []Finding{{numbers.Picture, 0, "is not what the page gives: " + strings.TrimSpace(out),
			"go run ./scripts/check -fix plots"}}, nil
	},
	Fix: func(ctx context.Context, t *Tree) ([]string, error) {
		if _, err := t.Read(numbers.File); err != nil {
			return nil, nil
		}
		out, _ := drawPlots(ctx, t)
		if file, ok := strings.CutPrefix(strings.TrimSpace(out), "wrote "); ok {
			return []string{file}, nil
		}
		return nil, nil
	},
}

func drawPlots(ctx context.Context, t *Tree, args ...string) (string, error) {
	root, err := FindRoot()
	if err != nil {
		return "", err
	}
	args = append([]string{"-C", "scripts/tools", "run", "./plots", "-root", t.Root}, args...)
	return command(ctx, NewTree(root), "go", args...)
}
