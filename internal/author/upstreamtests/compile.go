package upstreamtests

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Harness makes the test binaries.
type Harness struct {
	Root  string // of the repository
	Shims fs.FS  // scripts/upstream-tests/shims
	Race  bool
	// Instead are files of the repository that are compiled with another text, by their paths below the root.
	Instead map[string][]byte
}

// Compile makes a test binary for each build that some rows need, below dir, and returns their paths by mechanism. The
// go command reads the packages through an overlay, as if they stood in the repository.
func (h Harness) Compile(ctx context.Context, dir string, rows []Row) (map[string]string, error) {
	clientGo, err := h.clientGo(ctx)
	if err != nil {
		return nil, err
	}
	replace := map[string]string{}
	put := func(at string, text []byte) error {
		file := filepath.Join(dir, fmt.Sprint(len(replace))+"-"+filepath.Base(at))
		replace[filepath.Join(h.Root, filepath.FromSlash(at))] = file
		return os.WriteFile(file, text, 0o600)
	}
	binaries := map[string]string{}
	arguments := []string{"test", "-c", "-vet=off", "-o", dir + string(filepath.Separator)}
	if h.Race {
		arguments = append(arguments, "-race")
	}
	var packages []string
	for _, b := range builds {
		mine := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !slices.Contains(b.mechanisms, r.Mechanism) })
		if !slices.ContainsFunc(mine, func(r Row) bool { return r.How.runs() }) {
			continue
		}
		files, err := generate(b, clientGo, h.Shims, mine)
		if err != nil {
			return nil, fmt.Errorf("making the package %s: %w", b.name, err)
		}
		for name, text := range files {
			if err := put(b.path()+"/"+name, text); err != nil {
				return nil, err
			}
		}
		packages = append(packages, "./"+b.path())
		for _, m := range b.mechanisms {
			binaries[m] = filepath.Join(dir, b.name+".test")
		}
	}
	for shim, at := range inside {
		text, err := fs.ReadFile(h.Shims, shim)
		if err == nil {
			err = put(at, text)
		}
		if err != nil {
			return nil, err
		}
	}
	for at, text := range h.Instead {
		if err := put(at, text); err != nil {
			return nil, err
		}
	}
	plan, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, plan, 0o600); err != nil {
		return nil, err
	}
	arguments = append(append(arguments, "-overlay", overlay), packages...)
	if out, err := h.goCommand(ctx, arguments...); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, out)
	}
	return binaries, nil
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
	out, err := cmd.CombinedOutput()
	return string(out), err
}
