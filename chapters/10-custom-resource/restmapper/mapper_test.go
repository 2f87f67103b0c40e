package restmapper_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper/restmappertest"
)

// What the tests' world serves.
var (
	core    = schema.GroupVersion{Version: "v1"}
	toysV1  = schema.GroupVersion{Group: "toys.example.com", Version: "v1"}
	toysV2  = schema.GroupVersion{Group: "toys.example.com", Version: "v2"}
	toolsV1 = schema.GroupVersion{Group: "tools.example.com", Version: "v1"}

	doll = toysV1.WithKind("Doll").GroupKind()
	car  = toysV1.WithKind("Car").GroupKind()
)

func newWorld() *restmappertest.World {
	w := restmappertest.NewWorld()
	w.Serve(core, restmappertest.Resource("pods", "pod", "Pod", true))
	w.Serve(toysV2, restmappertest.Resource("dolls", "doll", "Doll", true))
	w.Serve(toysV1, restmappertest.Resource("dolls", "doll", "Doll", true),
		restmappertest.Resource("dolls/status", "", "Doll", true))
	w.Serve(toolsV1, restmappertest.Resource("saws", "", "Saw", false))
	return w
}

// A question is answered with as few requests as it can be, and again with none.
func TestRequests(t *testing.T) {
	everything := []string{"/api", "/apis", "/api/v1", "/apis/toys.example.com/v2", "/apis/toys.example.com/v1",
		"/apis/tools.example.com/v1"}
	for name, c := range map[string]struct {
		ask  func(m *restmapper.Mapper) error
		want []string
	}{
		"a kind in a version": {func(m *restmapper.Mapper) error {
			_, err := m.RESTMapping(doll, "v1")
			return err
		}, []string{"/apis/toys.example.com/v1"}},
		"a kind of the legacy group": {func(m *restmapper.Mapper) error {
			_, err := m.RESTMapping(schema.GroupKind{Kind: "Pod"}, "v1")
			return err
		}, []string{"/api/v1"}},
		"a kind in any version": {func(m *restmapper.Mapper) error {
			_, err := m.RESTMapping(doll)
			return err
		}, []string{"/api", "/apis", "/apis/toys.example.com/v2", "/apis/toys.example.com/v1"}},
		"a whole resource": {func(m *restmapper.Mapper) error {
			_, err := m.KindFor(toysV1.WithResource("dolls"))
			return err
		}, []string{"/apis/toys.example.com/v1"}},
		"a resource of any group": {func(m *restmapper.Mapper) error {
			_, err := m.KindFor(schema.GroupVersionResource{Resource: "dolls"})
			return err
		}, everything},
		"all that is known of a resource": {func(m *restmapper.Mapper) error {
			_, err := m.APIResource(toolsV1.WithResource("saws"))
			return err
		}, []string{"/apis/tools.example.com/v1"}},
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld()
			m := restmapper.New(world.Client(), restmappertest.Server+"/")
			require.Empty(t, world.Requests(), "to make a mapper asks for nothing")
			require.NoError(t, c.ask(m))
			require.Equal(t, c.want, world.Requests())
			require.NoError(t, c.ask(m))
			require.Empty(t, world.Requests())
		})
	}
}

// What is not there costs a request each time, and leaves nothing behind.
func TestRequestsInVain(t *testing.T) {
	world := newWorld()
	m := restmapper.New(world.Client(), restmappertest.Server)
	for range 2 {
		_, err := m.RESTMapping(schema.GroupKind{Group: "nowhere.example.com", Kind: "Car"}, "v1")
		require.EqualError(t, err, `no matches for kind "Car" in version "nowhere.example.com/v1"`)
		require.Equal(t, []string{"/apis/nowhere.example.com/v1"}, world.Requests())
	}
	require.Zero(t, m.Kept())
	_, err := m.RESTMapping(doll, "v1")
	require.NoError(t, err)
	require.Len(t, world.Requests(), 1)
	for range 2 {
		_, err := m.RESTMapping(car, "v1")
		require.EqualError(t, err, `no matches for kind "Car" in version "toys.example.com/v1"`)
		require.Equal(t, []string{"/apis/toys.example.com/v1"}, world.Requests())
	}
	require.Equal(t, 1, m.Kept())
}

// What is removed is found until something else in its group version is not.
func TestWhatIsRemoved(t *testing.T) {
	world := newWorld()
	m := restmapper.New(world.Client(), restmappertest.Server)
	_, err := m.RESTMapping(doll, "v1")
	require.NoError(t, err)
	world.Remove(toysV1)
	_, err = m.RESTMapping(doll, "v1")
	require.NoError(t, err)
	_, err = m.RESTMapping(car, "v1")
	require.True(t, meta.IsNoMatchError(err), "%v", err)
	_, err = m.RESTMapping(doll, "v1")
	require.True(t, meta.IsNoMatchError(err), "%v", err)
}

// A group version that can't be asked leaves open whether a kind is there: the error says who could not be asked, and
// is no no-match. Kinds that are known stay known.
func TestWhatNobodyKnows(t *testing.T) {
	world := newWorld()
	m := restmapper.New(world.Client(), restmappertest.Server)
	_, err := m.RESTMapping(doll, "v1")
	require.NoError(t, err)
	world.Break(toysV1, true)
	_, err = m.RESTMapping(car, "v1")
	require.False(t, meta.IsNoMatchError(err), "%v", err)
	require.True(t, apierrors.IsServiceUnavailable(errors.Unwrap(errors.Unwrap(unjoined(err)))), "%v", err)
	require.ErrorContains(t, err, "what toys.example.com/v1 serves: GET /apis/toys.example.com/v1: ")
	_, known := m.RESTMapping(doll, "v1")
	require.NoError(t, known)
	_, err = m.KindFor(schema.GroupVersionResource{Resource: "cars"})
	require.ErrorContains(t, err, "what toys.example.com/v1 serves: ", "it may be there")
	require.False(t, meta.IsNoMatchError(err), "%v", err)
	kind, err := m.KindFor(schema.GroupVersionResource{Resource: "saws"})
	require.NoError(t, err)
	require.Equal(t, toolsV1.WithKind("Saw"), kind)
}

// unjoined is the one error of those that were joined.
func unjoined(err error) error { return err.(interface{ Unwrap() []error }).Unwrap()[0] }

// roundTrip is a function that is a transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A server that is not there, and one that says something else, are no server without the kind.
func TestNoServer(t *testing.T) {
	away := errors.New("connection refused")
	m := restmapper.New(&http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, away
	})}, restmappertest.Server)
	_, err := m.RESTMapping(doll)
	require.ErrorIs(t, err, away)
	require.ErrorContains(t, err, "which group versions there are: ")
	_, err = m.RESTMapping(doll, "v1")
	require.ErrorIs(t, err, away)

	m = restmapper.New(&http.Client{Transport: http.NewFileTransport(http.Dir("."))}, "http://x/nowhere")
	_, err = m.RESTMapping(doll, "v1")
	require.True(t, meta.IsNoMatchError(err), "404: %v", err)
	m = restmapper.New(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		r.URL.Path = "/doc.go"
		return http.NewFileTransport(http.Dir(".")).RoundTrip(r)
	})}, "http://x")
	_, err = m.RESTMapping(doll, "v1")
	require.ErrorContains(t, err, "GET /apis/toys.example.com/v1: invalid character")
}

// APIResource knows what no mapping says: verbs, and subresources.
func TestAPIResource(t *testing.T) {
	m := restmapper.New(newWorld().Client(), restmappertest.Server)
	found, err := m.APIResource(toysV1.WithResource("dolls"))
	require.NoError(t, err)
	require.Equal(t, restmappertest.Resource("dolls", "doll", "Doll", true), found)
	require.Contains(t, found.Verbs, "watch")
	found, err = m.APIResource(toysV1.WithResource("dolls/status"))
	require.NoError(t, err)
	require.Equal(t, "dolls/status", found.Name)
	_, err = m.APIResource(toysV2.WithResource("dolls/status"))
	require.Equal(t, &meta.NoResourceMatchError{PartialResource: toysV2.WithResource("dolls/status")}, err)
}

// Two resources of one group version may share a name, if it is the singular of one.
func TestAmbiguous(t *testing.T) {
	world := newWorld()
	world.Serve(toolsV1, restmappertest.Resource("saw", "sawdust", "Dust", true),
		restmappertest.Resource("axes", "", "Axe", true))
	m := restmapper.New(world.Client(), restmappertest.Server)
	_, err := m.ResourceFor(toolsV1.WithResource("saw"))
	require.True(t, meta.IsAmbiguousError(err), "%v", err)
	_, err = m.KindFor(schema.GroupVersionResource{Resource: "saw"})
	require.EqualError(t, err, "/, Resource=saw matches multiple resources "+
		"[tools.example.com/v1, Resource=saw tools.example.com/v1, Resource=saws]")
	sheep := toolsV1.WithResource("sheep")
	world.Serve(toolsV1, restmappertest.Resource("sheep", "sheep", "Sheep", true))
	all, err := m.ResourcesFor(sheep)
	require.NoError(t, err)
	require.Equal(t, []schema.GroupVersionResource{sheep}, all, "both names are one")
	singular, err := m.ResourceSingularizer("axes")
	require.NoError(t, err)
	require.Equal(t, "axe", singular)
	name, err := m.ResourceSingularizer("spades")
	require.True(t, meta.IsNoMatchError(err), "%v", err)
	require.Equal(t, "spades", name)
}
