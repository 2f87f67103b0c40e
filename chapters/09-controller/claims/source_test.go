package claims

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
)

// declared are the exported types and functions of a package, without methods: true for those that are deprecated.
func declared(t *testing.T, path string) map[string]bool {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", path).Output()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*.go"))
	require.NoError(t, err)
	all := map[string]bool{}
	add := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		for _, doc := range docs {
			all[name.Name] = all[name.Name] || strings.Contains(doc.Text(), "Deprecated:")
		}
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declaration := range parsed.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						add(s.Name, d.Doc, s.Doc)
					}
				}
			}
		}
	}
	return all
}

// A scheme copies nothing: an object copies itself. What waits for caches is in tools/cache. The queues without a type
// for their keys are deprecated, and those with one are not.
//
// covers: B-55
func TestOldNamesAreGone(t *testing.T) {
	_, ok := reflect.TypeOf(scheme.Scheme).MethodByName("Copy")
	require.False(t, ok)
	_, ok = reflect.TypeOf(&corev1.ConfigMap{}).MethodByName("DeepCopy")
	require.True(t, ok)

	waits := declared(t, "k8s.io/client-go/tools/cache")
	for _, name := range []string{"WaitForCacheSync", "WaitForNamedCacheSyncWithContext", "WaitFor"} {
		require.Contains(t, waits, name)
	}

	queues := declared(t, "k8s.io/client-go/util/workqueue")
	for _, name := range []string{"Interface", "RateLimitingInterface"} {
		require.True(t, queues[name], name)
		require.Contains(t, queues, "Typed"+name)
		require.False(t, queues["Typed"+name], "Typed"+name)
	}
}

// The whole of a controller on client-go is no 200 lines, and what is particular to mirrors, which no library could
// have, is no 20.
//
// covers: S3-13 B-65
func TestLinesOfAController(t *testing.T) {
	files, err := scenario.CountLines("../mirror")
	require.NoError(t, err)
	all, particular := 0, 0
	for _, f := range files {
		all += f.Lines
		switch f.Name {
		case "desired.go", "reconcile.go", "handlers.go":
			particular += f.Lines
		}
	}
	require.Greater(t, all, 2*200)
	require.Greater(t, particular, 5*20)
}
