package claims

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// exported is a function that client-go's package workqueue exports at the pinned version.
type exported struct{ generic, deprecated bool }

var instead = regexp.MustCompile(`(?s)Deprecated:.*?[uU]se\s+(\w+)`)

// upstreamsFunctions is what the package exports, and what the comment of each that is deprecated names in its place.
func upstreamsFunctions(t *testing.T) (functions map[string]exported, replacement map[string]string) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "k8s.io/client-go/util/workqueue").Output()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*.go"))
	require.NoError(t, err)
	functions, replacement = map[string]exported{}, map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declaration := range parsed.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() {
				continue
			}
			deprecated := strings.Contains(f.Doc.Text(), "Deprecated:")
			functions[f.Name.Name] = exported{f.Type.TypeParams != nil, deprecated}
			if deprecated {
				replacement[f.Name.Name] = instead.FindStringSubmatch(f.Doc.Text())[1]
			}
		}
	}
	return functions, replacement
}

// Every constructor without a type of its key is deprecated, and none that has one, but for one with its name the
// wrong way around. The comment of NewNamedRateLimitingQueue names another one that is deprecated as well; what it
// leads to is NewTypedRateLimitingQueueWithConfig, with the name in a config.
//
// covers: B-62 C-05
func TestConstructorsWithoutATypeAreDeprecated(t *testing.T) {
	functions, replacement := upstreamsFunctions(t)
	makesNoQueue := []string{"SetProvider", "ParallelizeUntil", "WithChunkSize"}
	var untyped, odd []string
	for name, f := range functions {
		switch {
		case slices.Contains(makesNoQueue, name):
		case !f.generic:
			untyped = append(untyped, name)
			require.True(t, f.deprecated, name)
		case f.deprecated:
			odd = append(odd, name)
		}
	}
	require.Subset(t, untyped, []string{"New", "NewNamed", "NewDelayingQueue", "NewRateLimitingQueue",
		"NewNamedRateLimitingQueue", "DefaultControllerRateLimiter", "NewItemExponentialFailureRateLimiter"})
	require.Len(t, untyped, 18)
	require.Equal(t, []string{"TypedNewDelayingQueue"}, odd)

	steps := []string{"NewNamedRateLimitingQueue"}
	for replacement[steps[len(steps)-1]] != "" {
		steps = append(steps, replacement[steps[len(steps)-1]])
	}
	require.NotEqual(t, 2, len(steps), "that the comment names what to use would have been the belief")
	require.Equal(t, []string{"NewNamedRateLimitingQueue", "NewRateLimitingQueueWithConfig",
		"NewTypedRateLimitingQueueWithConfig"}, steps)
	require.False(t, functions["NewTypedRateLimitingQueueWithConfig"].deprecated)
}
