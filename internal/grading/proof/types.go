package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// TypeCheck type-checks solutions without building them, and gives the errors. An error in a wrong solution names the
// file that the declaration stands in, and the line there: the overlay or its base. root is the root of the module.
//
// The packages that the solutions import come from Go's build cache, where the go command puts those that it lacks.
func TypeCheck(ctx context.Context, root string, solutions []Solution) (problems []string, err error) {
	fset := token.NewFileSet()
	files := make([]*ast.File, len(solutions))
	imported := map[string]bool{}
	for i, s := range solutions {
		if files[i], err = parser.ParseFile(fset, s.Name, s.Source, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		for _, spec := range files[i].Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			imported[path] = true
		}
	}
	exports, err := exportData(ctx, root, slices.Sorted(maps.Keys(imported)))
	if err != nil {
		return nil, err
	}
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("there is no package %s that an exercise can use", path)
		}
		return os.Open(exports[path])
	})
	for i, s := range solutions {
		conf := types.Config{Importer: from, Error: func(err error) {
			var one types.Error
			if errors.As(err, &one) && !strings.HasPrefix(one.Msg, "\t") { // a line that begins so goes on
				problems = append(problems, s.position(fset.Position(one.Pos).Line)+": "+one.Msg)
			}
		}}
		_, _ = conf.Check(files[i].Name.Name, fset, []*ast.File{files[i]}, nil)
	}
	return problems, nil
}

// position names a line of the program as its author knows it.
func (s Solution) position(line int) string {
	if s.Wrong() || s.Partial() {
		path, at := s.merged.Place(line)
		return fmt.Sprintf("%s:%d", path, at)
	}
	return fmt.Sprintf("%s:%d", s.path, line)
}

// exportData maps packages to the files in which the compiler described them.
func exportData(ctx context.Context, root string, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-export", "-json=ImportPath,Export", "--"},
		paths...)...)
	cmd.Dir = root
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	exports := map[string]string{}
	for dec := json.NewDecoder(&out); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return exports, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		exports[p.ImportPath] = p.Export
	}
}
