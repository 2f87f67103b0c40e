package build

import (
	"context"
	"os"
	"path/filepath"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// Precompile compiles the packages (patterns as for go test) and their tests, with the race detector when race is set,
// and shows the progress that go test does not. It links nothing, and leaves it to go test to report what does not
// compile.
func Precompile(ctx context.Context, show term.Display, race bool, packages ...string) error {
	root, err := repo.Root()
	if err != nil {
		return err
	}
	return precompile(ctx, show, root, race, packages)
}

func precompile(ctx context.Context, show term.Display, root string, race bool, packages []string) error {
	run := &goCommand{tool: []string{"go"}, dir: root, grace: defaultGrace, doing: "compile the tests"}
	progress := newProgress(show, nil, "")
	defer progress.stop()
	flags := []string{"-e", "-test"}
	if race {
		flags = append(flags, "-race")
	}
	todo, err := progress.plan(ctx, run, flags, packages)
	if err != nil {
		return err
	}
	args := append([]string{"list", "-mod=readonly", "-deps", "-export", "-v", "-f", ""}, flags...)
	return progress.compile(ctx, run, todo, append(args, packages...))
}

// RunProgram builds one of this repository's own programs, such as "./scripts/supervisor", ready to be run, and returns
// the path of the binary. Go's build cache makes it quick when nothing has changed. Each clone has its own binary.
func RunProgram(ctx context.Context, show term.Display, pkg string) (binary string, err error) {
	root, err := repo.Root()
	if err != nil {
		return "", err
	}
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	if err := checkCache(cache); err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "programs", hash(root, pkg))
	if binary, err = buildProgram(ctx, show, root, pkg, dir); err != nil {
		return "", err
	}
	return binary, checkCache(cache) // somebody else may have made it meanwhile
}

func buildProgram(ctx context.Context, show term.Display, root, pkg, dir string) (string, error) {
	work := filepath.Join(dir, "tmp")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return "", explainCache(dir, err)
	}
	held, err := takeTurn(ctx, show, filepath.Join(dir, "build.lock"))
	if err != nil {
		return "", explainCache(dir, err)
	}
	defer held.Unlock()
	if err := clean(work); err != nil {
		return "", explainCache(dir, err)
	}
	defer clean(work)

	run := &goCommand{tool: []string{"go"}, dir: root, tmp: work, grace: defaultGrace, doing: "build " + pkg}
	progress := newProgress(show, held, pkg)
	defer progress.stop()
	binary := filepath.Join(dir, filepath.Base(pkg))
	var todo plan
	if !isExecutable(binary) { // the first time, it is worth a second to find out how much there is to do
		if todo, err = progress.plan(ctx, run, nil, []string{pkg}); err != nil {
			return "", err
		}
	}
	todo.mains = 1
	if err := progress.compile(ctx, run, todo,
		[]string{"build", "-mod=readonly", "-v", "-o", binary, pkg}); err != nil {
		return "", err
	}
	return binary, nil
}
