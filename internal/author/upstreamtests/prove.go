package upstreamtests

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Prove runs upstream's tests on a mechanism that is wrong, and says what is not as its header says, or "". Where the
// header names a test of upstream's, that test has to fail. Where it names none, all of the mechanism's have to end as
// on the right one, with those of what is built on it. The book's test has to fail in any case.
func (w Wrong) Prove(ctx context.Context, h Harness, list List) (string, error) {
	rows := slices.DeleteFunc(list.Of(w.mechanisms()...), func(r Row) bool {
		return w.Upstream != "" && r.Test != w.Upstream
	})
	if len(rows) == 0 {
		return "the list has no test " + w.Upstream + " of " + w.Mechanism, nil
	}
	dir, err := os.MkdirTemp("", "upstream-tests-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	h.Instead = map[string][]byte{w.Base: w.merged}
	binaries, err := h.Compile(ctx, dir, list, rows)
	if err != nil {
		return "", err
	}
	results := RunAll(ctx, binaries, rows, RunOptions{Race: h.Race, Parallel: 2, Again: true, Each: func(Result) {}})
	var failing []string
	for _, r := range results {
		if r.Unexpected() {
			failing = append(failing, r.Row.Test+": "+r.Outcome.Says)
		}
	}
	switch {
	case w.Upstream == "" && len(failing) > 0:
		return "client-go's tests do notice: " + strings.Join(failing, "; "), nil
	case w.Upstream != "" && len(failing) == 0:
		return w.Upstream + " passes all the same", nil
	}
	return w.proveByBook(ctx, h, dir)
}

// mechanisms are the one that is wrong and, where its header says that nobody notices, those that are built on it.
func (w Wrong) mechanisms() []string {
	if w.Upstream != "" || w.Mechanism == "workqueue" {
		return []string{w.Mechanism}
	}
	return []string{w.Mechanism, "pipeline", "informer"}
}

// proveByBook runs the book's own test.
func (w Wrong) proveByBook(ctx context.Context, h Harness, dir string) (string, error) {
	o := overlaid{root: h.Root, dir: dir, replace: map[string]string{}}
	if err := o.put(w.Base, w.merged); err != nil {
		return "", err
	}
	plan, err := o.plan()
	if err != nil {
		return "", err
	}
	out, err := h.goCommand(ctx, "test", "-count=1", "-vet=off", "-overlay", plan, "-run", "^"+w.Test+"$",
		"./"+w.Package)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil:
		return fmt.Sprintf("%s of %s passes all the same", w.Test, w.Package), nil
	case !strings.Contains(out, "--- FAIL: "+w.Test+" "):
		return fmt.Sprintf("%s of %s does not run: %s", w.Test, w.Package, out), nil
	}
	return "", nil
}
