package pins

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// Direct is a module that the repository's own code imports.
type Direct struct {
	Path    string
	Version string // as go.mod pins it
	Newest  string // of the same major version, "" where the pinned one is it or where nobody was asked
	Held    string // why go.mod stays behind, from the comment `// held: ...` beside the pin
}

// Directs lists the direct requirements of the go.mod at the root, in its order. Newest is left empty.
func Directs(root string) ([]Direct, error) {
	mod, err := parse(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	var list []Direct
	for _, r := range mod.Require {
		if !r.Indirect {
			list = append(list, Direct{Path: r.Mod.Path, Version: r.Mod.Version, Held: held(r)})
		}
	}
	return list, nil
}

// held reads the comment beside a requirement.
func held(r *modfile.Require) string {
	for _, comment := range r.Syntax.Suffix {
		text := strings.TrimSpace(strings.TrimPrefix(comment.Token, "//"))
		if why, ok := strings.CutPrefix(text, "held:"); ok {
			return strings.TrimSpace(why)
		}
	}
	return ""
}

// Newest fills in what the module proxy knows to be newer.
// It is the one function of this package that needs the network.
func Newest(ctx context.Context, root string, list []Direct) error {
	args := []string{"list", "-m", "-u", "-json"}
	for _, d := range list {
		args = append(args, d.Path)
	}
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir, command.Env = root, append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("ask the module proxy for newer versions: %w\n%s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	return readNewest(out, list)
}

// readNewest takes the answer of go list apart: one JSON object a module. A module that could not be asked about
// carries an Error, and go list succeeds nevertheless.
func readNewest(out []byte, list []Direct) error {
	newest := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var module struct {
			Path   string
			Update *struct{ Version string }
			Error  *struct{ Err string }
		}
		err := decoder.Decode(&module)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read what go list says of newer versions: %w", err)
		}
		if module.Error != nil {
			return fmt.Errorf("ask the module proxy about %s: %s", module.Path, module.Error.Err)
		}
		if module.Update != nil {
			newest[module.Path] = module.Update.Version
		}
	}
	for i := range list {
		list[i].Newest = newest[list[i].Path]
	}
	return nil
}
