package upstreamtests

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Harness makes the test binaries.
type Harness struct {
	Root  string // of the repository
	Shims fs.FS  // scripts/upstream-tests/shims
	Race  bool
	// Instead are files of the repository that are compiled with another text, by their paths below the root.
	Instead map[string][]byte
}

// Compile makes a test binary for each build that some rows of the list need, below dir, and returns their paths by
// mechanism. The go command reads the packages through an overlay, as if they stood in the repository.
func (h Harness) Compile(ctx context.Context, dir string, list List, rows []Row) (map[string]string, error) {
	o := overlaid{root: h.Root, dir: dir, replace: map[string]string{}}
	packages, binaries, err := h.packages(ctx, o, list, rows)
	if err != nil {
		return nil, err
	}
	for shim, at := range inside {
		text, err := fs.ReadFile(h.Shims, shim)
		if err == nil {
			err = o.put(at, text)
		}
		if err != nil {
			return nil, err
		}
	}
	for at, text := range h.Instead {
		if err := o.put(at, text); err != nil {
			return nil, err
		}
	}
	plan, err := o.plan()
	if err != nil {
		return nil, err
	}
	arguments := []string{"test", "-c", "-vet=off", "-overlay", plan, "-o", dir + string(filepath.Separator)}
	if h.Race {
		arguments = append(arguments, "-race")
	}
	arguments = append(arguments, packages...)
	if out, err := h.goCommand(ctx, arguments...); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, out)
	}
	return binaries, nil
}

// packages makes those that the rows need. Each is made whole, for all of its tests: it is then compiled once.
func (h Harness) packages(ctx context.Context, o overlaid, list List, rows []Row) (
	packages []string, binaries map[string]string, err error) {
	clientGo, err := h.clientGo(ctx)
	if err != nil {
		return nil, nil, err
	}
	binaries = map[string]string{}
	for _, b := range builds {
		if !b.neededBy(rows) {
			continue
		}
		files, err := generate(b, clientGo, h.Shims, list.Of(b.mechanisms...))
		if err != nil {
			return nil, nil, fmt.Errorf("making the package %s: %w", b.name, err)
		}
		for name, text := range files {
			if err := o.put(b.path()+"/"+name, text); err != nil {
				return nil, nil, err
			}
		}
		packages = append(packages, "./"+b.path())
		for _, m := range b.mechanisms {
			binaries[m] = filepath.Join(o.dir, b.name+".test")
		}
	}
	return packages, binaries, nil
}

// neededBy says whether one of the rows' tests runs in the build's package.
func (b build) neededBy(rows []Row) bool {
	return slices.ContainsFunc(rows, func(r Row) bool {
		return r.How.Runs() && slices.Contains(b.mechanisms, r.Mechanism)
	})
}

// overlaid are files of the repository that are elsewhere.
type overlaid struct {
	root, dir string
	replace   map[string]string
}

// put has a file of the repository, which need not be there, read as this text.
func (o overlaid) put(at string, text []byte) error {
	file := filepath.Join(o.dir, fmt.Sprintf("%d-%s", len(o.replace), path.Base(at)))
	o.replace[filepath.Join(o.root, filepath.FromSlash(at))] = file
	return os.WriteFile(file, text, 0o600)
}

// plan writes what the go command is told by -overlay, and returns its path.
func (o overlaid) plan() (string, error) {
	text, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(o.dir, "overlay.json")
	return file, os.WriteFile(file, text, 0o600)
}

// clientGo is the folder of the pinned client-go, in the module cache.
func (h Harness) clientGo(ctx context.Context) (string, error) {
	out, err := h.goCommand(ctx, "mod", "download", "-json", module)
	if err != nil {
		return "", fmt.Errorf("where client-go is: %w\n%s", err, out)
	}
	var at struct{ Dir string }
	return at.Dir, json.Unmarshal([]byte(out), &at)
}

func (h Harness) goCommand(ctx context.Context, arguments ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", arguments...)
	cmd.Dir = h.Root
	// The go command ends what it has started, which a kill would leave behind.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}
