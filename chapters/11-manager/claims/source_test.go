package claims

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/discovery"
	corev1informers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/recorder"
)

// dependencies are the packages that a package is built from, its own included.
func dependencies(t *testing.T, path string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", path).Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}

// below says whether one of the packages is this one or below it.
func below(packages []string, path string) bool {
	return slices.ContainsFunc(packages, func(p string) bool { return p == path || strings.HasPrefix(p, path+"/") })
}

// importers are those packages, of all that a package is built from, that import one of these or of those below.
func importers(t *testing.T, path string, of ...string) (all []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, path).Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		for _, o := range of {
			if !below(fields[:1], o) && below(fields[1:], o) && !slices.Contains(all, fields[0]) {
				all = append(all, fields[0])
			}
		}
	}
	return all
}

// Each layer is built from those below it and from none above. controller-runtime makes informers of client-go's, and
// uses neither its factories nor its listers: its cache has a map of informers of its own, by kind and by how the
// objects look, and reads them by index. They are linked all the same, as client-go's leader election uses them.
//
// covers: B-94 B-98 S3-12 S3-17
func TestLayers(t *testing.T) {
	const builder, factories, listers = "sigs.k8s.io/controller-runtime/pkg/builder", "k8s.io/client-go/informers",
		"k8s.io/client-go/listers"
	all := dependencies(t, builder)
	for _, used := range []string{"k8s.io/client-go/tools/cache", "k8s.io/client-go/util/workqueue",
		"k8s.io/client-go/rest", "k8s.io/client-go/dynamic", "k8s.io/client-go/metadata",
		"k8s.io/client-go/tools/leaderelection", "k8s.io/client-go/tools/events", "k8s.io/apimachinery/pkg/runtime",
		"sigs.k8s.io/controller-runtime/pkg/cache/cacheapi"} {
		require.True(t, below(all, used), used)
	}
	uses := importers(t, builder, factories, listers)
	uses = slices.DeleteFunc(uses, func(p string) bool { return below([]string{p}, factories) }) // of listers
	require.Equal(t, []string{"k8s.io/client-go/tools/leaderelection"}, uses)
	for _, lower := range []struct{ module, has, not string }{
		{"sigs.k8s.io/controller-runtime/pkg/manager", "k8s.io/client-go", builder},
		{"k8s.io/client-go/tools/cache", "k8s.io/apimachinery", "sigs.k8s.io/controller-runtime"},
		{factories, listers, "sigs.k8s.io/controller-runtime"},
		{"k8s.io/apimachinery/pkg/runtime", "k8s.io/apimachinery", "k8s.io/client-go"},
		{"k8s.io/api/core/v1", "k8s.io/apimachinery", "k8s.io/client-go"},
	} {
		all := dependencies(t, lower.module)
		require.True(t, below(all, lower.has), lower)
		require.False(t, below(all, lower.not), lower)
	}
	file, err := exec.Command("go", "list", "-m", "-f", "{{.GoMod}}", "k8s.io/client-go").Output()
	require.NoError(t, err)
	requirements, err := os.ReadFile(strings.TrimSpace(string(file)))
	require.NoError(t, err)
	require.Contains(t, string(requirements), "k8s.io/streaming ", "a module of its own, for exec and port-forward")
}

// declared are the types and functions of a package at the pinned version, without methods.
func declared(t *testing.T, path string) (names []string) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", path).Output()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*.go"))
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declaration := range parsed.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						names = append(names, s.Name.Name)
					}
				}
			}
		}
	}
	return names
}

// fieldsOf are the fields of a struct.
func fieldsOf[T any]() (all []string) {
	for field := range reflect.TypeFor[T]().Fields() {
		all = append(all, field.Name)
	}
	return all
}

// methodsOf are the methods of an interface.
func methodsOf[T any]() (all []string) {
	for method := range reflect.TypeFor[T]().Methods() {
		all = append(all, method.Name)
	}
	return all
}

// How a client is told what to read from where, and a cache what to have, has other names than in older texts.
//
// covers: B-77 S0-22 S0-33
func TestOldNamesAreGone(t *testing.T) {
	clients := declared(t, "sigs.k8s.io/controller-runtime/pkg/client")
	caches := declared(t, "sigs.k8s.io/controller-runtime/pkg/cache")
	for _, name := range []string{"DelegatingClient", "NewDelegatingClient", "DelegatingReader"} {
		require.NotContains(t, clients, name)
	}
	for _, name := range []string{"MultiNamespacedCacheBuilder", "BuilderWithOptions", "SelectorsByObject"} {
		require.NotContains(t, caches, name)
	}
	require.Contains(t, clients, "CacheOptions")
	require.Contains(t, caches, "ByObject")
	require.NotContains(t, fieldsOf[manager.Options](), "Namespace")
	require.NotContains(t, fieldsOf[manager.Options](), "ClientDisableCacheFor")
	require.NotContains(t, fieldsOf[cache.Options](), "Namespaces")
	require.NotContains(t, fieldsOf[cache.Options](), "SelectorsByObject")
	require.Subset(t, fieldsOf[cache.Options](), []string{"DefaultNamespaces", "DefaultLabelSelector", "ByObject"})
	require.Subset(t, fieldsOf[client.CacheOptions](), []string{"DisableFor", "Unstructured"})

	require.ElementsMatch(t, []string{
		"Get", "List", // Reader
		"Create", "Delete", "Update", "Patch", "Apply", "DeleteAllOf", // Writer
		"Status", "SubResource", // StatusClient and SubResourceClientConstructor
		"Scheme", "RESTMapper", "GroupVersionKindFor", "IsObjectNamespaced",
	}, methodsOf[client.Client]())
}

// A manager is a cluster, that is a client, a cache, a scheme and what they stand on, and something that runs
// runnables.
//
// covers: S3-09 S3-10
func TestWhatAManagerIs(t *testing.T) {
	var m manager.Manager
	var _ cluster.Cluster = m
	var _ manager.Runnable = m
	var _ manager.Runnable = controller.Controller(nil)
	require.Subset(t, methodsOf[manager.Manager](), []string{"Add", "Elected", "Start", "AddHealthzCheck",
		"AddReadyzCheck", "AddMetricsServerExtraHandler", "GetWebhookServer", "GetClient", "GetCache", "GetScheme",
		"GetRESTMapper", "GetAPIReader", "GetEventRecorder", "GetFieldIndexer", "GetHTTPClient", "GetConfig"})
}

// Whoever has written a fake of a generated interface has to write it again; who calls them has not.
//
// covers: B-113
func TestGeneratedInterfacesHaveChanged(t *testing.T) {
	returns := func(of reflect.Type, method string) reflect.Type {
		m, ok := of.MethodByName(method)
		require.True(t, ok, method)
		return m.Type.Out(0)
	}
	require.Equal(t, reflect.TypeFor[discovery.DiscoveryInterfaces](),
		returns(reflect.TypeFor[kubernetes.Interface](), "Discovery"))
	require.Equal(t, reflect.TypeFor[corev1informers.TypedConfigMapInformer](),
		returns(reflect.TypeFor[corev1informers.Interface](), "ConfigMaps"))
	require.Equal(t, reflect.TypeFor[recorder.EventRecorder](),
		returns(reflect.TypeFor[recorder.Provider](), "GetEventRecorder"))
	_ = func(set kubernetes.Interface) discovery.DiscoveryInterface {
		return set.Discovery() // who calls it compiles as before
	}
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "k8s.io/client-go/kubernetes/typed/scheduling/v1").Output()
	require.NoError(t, err)
	versions, err := os.ReadDir(filepath.Dir(strings.TrimSpace(string(dir))))
	require.NoError(t, err)
	var names []string
	for _, v := range versions {
		names = append(names, v.Name())
	}
	require.NotContains(t, names, "v1alpha2")
	require.Contains(t, names, "v1alpha3")
}
