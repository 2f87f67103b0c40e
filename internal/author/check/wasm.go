package check

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

var wasmCheck = Check{
	Name:   "wasm",
	Guards: "the mechanisms compile for GOOS=js GOARCH=wasm, without a clientset, so that a page can run them",
	Slow:   true,
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		docs, err := t.Match("chapters/*/*/doc.go")
		if err != nil || len(docs) == 0 {
			return nil, err
		}
		run := func(args ...string) (string, error) {
			return command(ctx, t, "env", append([]string{"GOOS=js", "GOARCH=wasm", "go"}, args...)...)
		}
		var found []Finding
		build := []string{"build"}
		for _, doc := range docs {
			if chapterOf(doc)[:2] > lastInAPage {
				continue
			}
			dir := path.Dir(doc)
			if path.Base(dir) == "claims" {
				continue // tests, and no mechanism
			}
			out, err := run("list", "-deps", "./"+dir)
			if err != nil {
				return nil, fmt.Errorf("go list ./%s: %s", dir, out)
			}
			links := strings.Fields(out)
			if slices.Contains(links, repo.Module+"/internal/lab") {
				continue // no mechanism: it needs a cluster
			}
			if slices.Contains(links, "k8s.io/client-go/kubernetes") {
				found = append(found, Finding{dir, 0, "links client-go's clientset",
					"take an interface: the clientset alone is larger than a page"})
			}
			build = append(build, "./"+dir)
		}
		if out, err := run(build...); err != nil {
			found = append(found, compilerFindings(out, ".",
				"leave out what needs an operating system, or find a package that does not")...)
		}
		return found, nil
	},
}

// lastInAPage is the last chapter whose mechanism is to run in a page that shows the pipeline.
const lastInAPage = "08"
