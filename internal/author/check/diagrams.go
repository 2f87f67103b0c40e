package check

import (
	"context"
	"strings"
)

var diagramsCheck = Check{
	Name:   "diagrams",
	Guards: "each SVG in diagrams/ is what its D2 source gives",
	Slow:   true,
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		if !t.IsDir("diagrams") {
			return nil, nil
		}
		found, err := orphans(t)
		if err != nil {
			return nil, err
		}
		out, err := renderDiagrams(ctx, t, "-check")
		if err == nil {
			return found, nil
		}
		for line := range strings.Lines(out) {
			line = strings.TrimSpace(line)
			if file, _, ok := strings.Cut(line, " is not what "); ok {
				found = append(found, Finding{file, 0, "is not what its source gives",
					"go run ./scripts/check -fix diagrams"})
			} else if file, what, ok := strings.Cut(line, ": "); ok && strings.HasSuffix(file, ".d2") {
				found = append(found, Finding{file, 0, what, "mend the source"})
			}
		}
		if len(found) == 0 {
			found = append(found, Finding{"diagrams", 0, strings.TrimSpace(out), "mend what the renderer says"})
		}
		return found, nil
	},
	Fix: func(ctx context.Context, t *Tree) ([]string, error) {
		if !t.IsDir("diagrams") {
			return nil, nil
		}
		out, _ := renderDiagrams(ctx, t)
		var wrote []string
		for line := range strings.Lines(out) {
			if file, ok := strings.CutPrefix(strings.TrimSpace(line), "wrote "); ok {
				wrote = append(wrote, file)
			}
		}
		return wrote, nil
	},
}

func renderDiagrams(ctx context.Context, t *Tree, args ...string) (string, error) {
	root, err := FindRoot()
	if err != nil {
		return "", err
	}
	args = append([]string{"-C", "scripts/tools", "run", "./diagrams", "-dir", t.Path("diagrams")}, args...)
	return command(ctx, NewTree(root), "go", args...)
}

// orphans finds pictures without a source: nobody can change them.
func orphans(t *Tree) ([]Finding, error) {
	pictures, err := t.Match("diagrams/*.svg")
	if err != nil {
		return nil, err
	}
	var found []Finding
	for _, svg := range pictures {
		if source := strings.TrimSuffix(svg, ".svg") + ".d2"; !t.Exists(source) {
			found = append(found, Finding{svg, 0, "has no source " + source, "write the source, or remove the picture"})
		}
	}
	return found, nil
}
