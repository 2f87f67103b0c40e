package upstreamtests

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Prove runs upstream's tests on a mechanism that is wrong, and says what is not as its header says, or "". Where the
// header names a test of upstream's, that test has to fail. Where it names none, all of the mechanism's have to end as
// on the right one, and the book's test has to fail.
func (w Wrong) Prove(ctx context.Context, h Harness, list List) (string, error) {
	rows := slices.DeleteFunc(list.Of(w.Mechanism), func(r Row) bool { return w.Upstream != "" && r.Test != w.Upstream })
	if len(rows) == 0 {
		return "the list has no test " + w.Upstream + " of " + w.Mechanism, nil
	}
	dir, err := os.MkdirTemp("", "upstream-tests-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	h.Instead = map[string][]byte{w.Base: w.merged}
	binaries, err := h.Compile(ctx, dir, rows)
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
	case w.Upstream == "":
		return w.proveByBook(ctx, h, dir)
	case len(failing) == 0:
		return w.Upstream + " passes all the same", nil
	}
	return "", nil
}

// proveByBook runs the book's own test.
func (w Wrong) proveByBook(ctx context.Context, h Harness, dir string) (string, error) {
	file, plan := filepath.Join(dir, "wrong.go"), filepath.Join(dir, "book.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(h.Root, filepath.FromSlash(w.Base)): file}})
	if err != nil {
		return "", err
	}
	for name, text := range map[string][]byte{file: w.merged, plan: replace} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return "", err
		}
	}
	out, err := h.goCommand(ctx, "test", "-count=1", "-vet=off", "-overlay", plan, "-run", "^"+w.Test+"$", "./"+w.Package)
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
