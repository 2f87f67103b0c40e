package restmapper_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	upstream "k8s.io/client-go/restmapper"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper/restmappertest"
)

// deferred makes client-go's mapper for a world.
func deferred(t require.TestingT, w *restmappertest.World) meta.ResettableRESTMapper {
	config := &rest.Config{Host: restmappertest.Server, QPS: -1}
	client, err := discovery.NewDiscoveryClientForConfigAndClient(config, w.Client())
	require.NoError(t, err)
	return upstream.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
}

// The words of random worlds and questions.
var (
	groups   = []string{"", "apps", "apps.example.com", "tools.example.com"}
	versions = []string{"v1", "v2", "v1beta1"}
	nouns    = []string{"doll", "kite", "saw"}
)

// grow has a world serve something that it did not serve.
func grow(t *rapid.T, w *restmappertest.World) {
	gv := schema.GroupVersion{Group: rapid.SampledFrom(groups).Draw(t, "group"),
		Version: rapid.SampledFrom(versions).Draw(t, "version")}
	if gv.Group == "" {
		gv.Version = "v1" // the only one that client-go knows of the legacy group
	}
	var resources []metav1.APIResource
	for _, noun := range nouns {
		if rapid.Bool().Draw(t, noun) {
			resource := restmappertest.Resource(noun+"s", noun, "K"+noun, rapid.Bool().Draw(t, "namespaced"))
			if rapid.Bool().Draw(t, "an old server") {
				resource.SingularName, resource.Kind = "", noun // upstream guesses the singular from the kind
			}
			resources = append(resources, resource, restmappertest.Resource(noun+"s/status", "", "Status", true))
		}
	}
	w.Remove(gv)
	w.Serve(gv, resources...)
}

// askBoth asks two mappers one random question.
func askBoth(t *rapid.T, ours, theirs meta.RESTMapper) {
	anyVersion := rapid.SampledFrom(append([]string{"", runtime.APIVersionInternal, "v9"}, versions...))
	group := rapid.SampledFrom(append([]string{"tools", "app", "nowhere"}, groups...)).Draw(t, "of group")
	if noun := rapid.SampledFrom(nouns).Draw(t, "noun"); rapid.Bool().Draw(t, "by kind") {
		name := rapid.SampledFrom([]string{noun, "K" + noun, "Status"}).Draw(t, "kind")
		kind := schema.GroupKind{Group: group, Kind: name}
		asked := rapid.SliceOfN(anyVersion, 0, 3).Draw(t, "versions")
		requireSameKind(t, ours, theirs, kind, asked...)
	} else {
		name := rapid.SampledFrom([]string{noun, noun + "s", "K" + noun, noun + "s/status", ""}).Draw(t, "name")
		requireSameResource(t, ours, theirs, schema.GroupVersionResource{Group: group,
			Version: anyVersion.Draw(t, "of version"), Resource: name})
	}
}

// TestRandomWorlds asks both mappers the same random questions about random worlds. Both are new for each world:
// whether a kind is found that is installed later is another test's question.
func TestRandomWorlds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		world := restmappertest.NewWorld()
		for range rapid.IntRange(1, 6).Draw(t, "group versions") {
			grow(t, world)
		}
		ours, theirs := restmapper.New(world.Client(), restmappertest.Server), deferred(t, world)
		for range rapid.IntRange(1, 10).Draw(t, "questions") {
			askBoth(t, ours, theirs)
		}
	})
}

// TestRandomGrowth has worlds grow between the questions. Upstream's mapper forgets everything each time.
func TestRandomGrowth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		world := restmappertest.NewWorld()
		grow(t, world)
		ours, theirs := restmapper.New(world.Client(), restmappertest.Server), deferred(t, world)
		var order []schema.GroupVersion
		for range rapid.IntRange(1, 10).Draw(t, "steps") {
			gv := schema.GroupVersion{Group: fmt.Sprintf("g%d.example.com", len(order)), Version: "v1"}
			order = append(order, gv)
			world.Serve(gv, restmappertest.Resource("dolls", "doll", fmt.Sprint("Doll", len(order)), true))
			theirs.Reset()
			i := rapid.IntRange(0, len(order)-1).Draw(t, "which")
			kind := schema.GroupKind{Group: order[i].Group, Kind: fmt.Sprint("Doll", i+1)}
			requireSameKind(t, ours, theirs, kind, slices.Repeat([]string{"v1"}, rapid.IntRange(0, 1).Draw(t, "v"))...)
			requireSameResource(t, ours, theirs, order[i].WithResource("dolls"))
		}
	})
}

// requireSameKind asks two mappers where a kind is.
func requireSameKind(t require.TestingT, ours, theirs meta.RESTMapper, kind schema.GroupKind, versions ...string) {
	want, wantErr := theirs.RESTMapping(kind, versions...)
	got, err := ours.RESTMapping(kind, versions...)
	require.Equal(t, want, got, "%v %q", kind, versions)
	requireSameError(t, wantErr, err, "%v %q", kind, versions)
	wantAll, wantErr := theirs.RESTMappings(kind, versions...)
	all, err := ours.RESTMappings(kind, versions...)
	require.Len(t, all, len(wantAll), "%v %q", kind, versions)
	for i := range all {
		require.Equal(t, wantAll[i], all[i], "%v %q", kind, versions)
	}
	requireSameError(t, wantErr, err, "%v %q", kind, versions)
}

// requireSameResource asks two mappers everything that can be asked of a partial resource.
func requireSameResource(t require.TestingT, ours, theirs meta.RESTMapper, partial schema.GroupVersionResource) {
	requireSame(t, theirs.KindFor, ours.KindFor, partial)
	requireSame(t, theirs.KindsFor, ours.KindsFor, partial)
	requireSame(t, theirs.ResourceFor, ours.ResourceFor, partial)
	requireSame(t, theirs.ResourcesFor, ours.ResourcesFor, partial)
	lower := strings.ToLower(partial.Resource) // as which upstream's error has it
	requireSame(t, theirs.ResourceSingularizer, ours.ResourceSingularizer, lower)
}

func requireSame[Q, A any](t require.TestingT, theirs, ours func(Q) (A, error), question Q) {
	want, wantErr := theirs(question)
	got, err := ours(question)
	require.Equal(t, want, got, "%#v", question)
	requireSameError(t, wantErr, err, "%#v", question)
}

func requireSameError(t require.TestingT, want, got error, messageAndArgs ...any) {
	require.Equal(t, want == nil, got == nil, messageAndArgs...)
	require.Equal(t, meta.IsNoMatchError(want), meta.IsNoMatchError(got), messageAndArgs...)
	require.Equal(t, meta.IsAmbiguousError(want), meta.IsAmbiguousError(got), messageAndArgs...)
	if meta.IsNoMatchError(want) {
		require.Equal(t, want.Error(), got.Error(), messageAndArgs...)
	}
}
