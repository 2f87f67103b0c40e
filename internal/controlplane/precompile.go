package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Precompile compiles the packages and their tests with -race (when race is set), as go test would, and shows the
// progress that go test does not. It leaves reporting what does not compile to go test.
func Precompile(ctx context.Context, show Display, race bool, packages ...string) error {
	root, err := Root()
	if err != nil {
		return err
	}
	g := &goCommand{tool: "go", dir: root}
	p := newProgress(show, nil, "")
	defer p.stop()
	flags := []string{"-e", "-test"}
	if race {
		flags = append(flags, "-race")
	}
	stale, err := p.plan(ctx, g, flags, packages)
	if err != nil || stale == 0 {
		return err
	}
	args := append([]string{"list", "-mod=readonly", "-deps", "-export", "-v", "-f", ""}, flags...)
	return p.compile(ctx, g, stale, append(args, packages...))
}

// RunProgram builds one of this repository's programs, such as "./scripts/supervisor", and returns the path of the
// binary. It is there at once when nothing has changed since the last time.
func RunProgram(ctx context.Context, show Display, pkg string) (binary string, err error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "programs", hash(root, pkg))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", explainCache(cache, err)
	}
	g := &goCommand{tool: "go", dir: root}
	p := newProgress(show, nil, "")
	defer p.stop()
	binary = filepath.Join(dir, filepath.Base(pkg))
	if err := p.compile(ctx, g, 0, []string{"build", "-mod=readonly", "-v", "-o", binary, pkg}); err != nil {
		return "", fmt.Errorf("build %s: %w", pkg, err)
	}
	return binary, nil
}
