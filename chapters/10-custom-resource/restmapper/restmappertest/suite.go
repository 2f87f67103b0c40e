package restmappertest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// New makes a mapper that asks the server at an address.
type New = func(client *http.Client, server string) (meta.RESTMapper, error)

// Run runs the whole suite, each of its tests in a world of its own.
func Run(t *testing.T, newMapper New) {
	for _, sentence := range []struct {
		name string
		test func(*testing.T, *World, meta.RESTMapper)
	}{
		{"a kind leads to its resource and back", bothWays},
		{"discovery says whether a kind has namespaces", scopes},
		{"a subresource is no kind's resource", subresources},
		{"the server prefers a version", preferences},
		{"a resource may be named in part", partialNames},
		{"what is not served is not matched", notServed},
		{"a kind that is installed later is found", later},
		{"a version that is installed later is found", laterVersion},
		{"a group version that fails spoils no other", failing},
		{"a group version that failed is asked again", mended},
	} {
		t.Run(sentence.name, func(t *testing.T) {
			world := NewWorld()
			world.Serve(core, Resource("pods", "pod", "Pod", true), Resource("nodes", "node", "Node", false),
				Resource("pods/status", "", "Pod", true))
			world.Serve(toysV1, dolls, Resource("dolls/scale", "", "Scale", true))
			world.Serve(toysV1beta1, dolls, Resource("kites", "kite", "Kite", false))
			mapper, err := newMapper(world.Client(), Server)
			require.NoError(t, err)
			sentence.test(t, world, mapper)
		})
	}
}

// What the suite's world serves.
var (
	core        = schema.GroupVersion{Version: "v1"}
	toysV1      = schema.GroupVersion{Group: "toys.example.com", Version: "v1"}
	toysV1beta1 = schema.GroupVersion{Group: "toys.example.com", Version: "v1beta1"}
	tools       = schema.GroupVersion{Group: "tools.example.com", Version: "v1"}

	dolls = Resource("dolls", "doll", "Doll", true)
)

// Resource is a resource as discovery tells of it.
func Resource(name, singular, kind string, namespaced bool) metav1.APIResource {
	return metav1.APIResource{Name: name, SingularName: singular, Kind: kind, Namespaced: namespaced,
		Verbs: metav1.Verbs{"get", "list", "watch"}}
}
