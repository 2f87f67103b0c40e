package claims

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// declares tells whether client-go's package cache, at the pinned version, declares a name outside of functions and
// methods.
func declares(t *testing.T, name string) bool {
	t.Helper()
	for _, declaration := range declarations(t) {
		if declaresName(declaration, name) {
			return true
		}
	}
	return false
}

// constants are the names of the constants that client-go's package cache declares with a type.
func constants(t *testing.T, ofType string) (names []string) {
	t.Helper()
	for _, declaration := range declarations(t) {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			s := spec.(*ast.ValueSpec)
			if named, ok := s.Type.(*ast.Ident); ok && named.Name == ofType {
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// declarations are those of client-go's package cache, at the pinned version.
func declarations(t *testing.T) (all []ast.Decl) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "k8s.io/client-go/tools/cache").Output()
	require.NoError(t, err)
	files, err := os.ReadDir(strings.TrimSpace(string(dir)))
	require.NoError(t, err)
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), file.Name()),
			nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		all = append(all, parsed.Decls...)
	}
	return all
}

func declaresName(declaration ast.Decl, name string) bool {
	if f, ok := declaration.(*ast.FuncDecl); ok {
		return f.Recv == nil && f.Name.Name == name
	}
	for _, spec := range declaration.(*ast.GenDecl).Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.Name == name {
				return true
			}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				if n.Name == name {
					return true
				}
			}
		}
	}
	return false
}
