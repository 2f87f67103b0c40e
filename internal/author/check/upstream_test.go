package check

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUpstream(t *testing.T) {
	root, err := FindRoot()
	require.NoError(t, err)
	mod, err := os.ReadFile(root + "/go.mod")
	require.NoError(t, err)
	for name, want := range map[string]string{
		"k8s.io/client-go/tools/cache.NewSharedInformer":                 "",
		"k8s.io/client-go/tools/cache.Reflector.ListAndWatchWithContext": "",
		"k8s.io/client-go/tools/cache.Config.ObjectType":                 "",
		"k8s.io/client-go/tools/cache/reflector.go":                      "",
		"k8s.io/client-go/tools/cache":                                   "",
		"k8s.io/client-go/tools/cache.Nonsense":                          "does not declare",
		"k8s.io/client-go/tools/cache.Reflector.Nonsense":                "does not declare",
		"k8s.io/client-go/tools/nonsense.X":                              "has no package tools/nonsense",
		"k8s.io/client-go/tools/cache/nonsense.go":                       "k8s.io/client-go",
		"k8s.io/nonsense/x.Y":                                            "is in no pinned module",
	} {
		archive := "-- go.mod --\n" + string(mod) + "-- chapters/01-a/README.md --\n<!-- cites: B-01 " + name + " -->\n"
		if want == "" {
			expect(t, upstreamCheck, archive)
			continue
		}
		expect(t, upstreamCheck, archive, want)
	}
	got := run(t, upstreamCheck, tree(t, "-- go.mod --\n"+string(mod)+"-- docs/a.md --\nSee "+
		"§k8s.io/client-go/tools/cache.Nope§.\n"))
	require.True(t, strings.HasPrefix(got, "docs/a.md:1:"), got)
}
