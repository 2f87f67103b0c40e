package restmapper_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper/restmappertest"
)

// impls are what is measured side by side.
//
//	make bench CH=10
var impls = []struct {
	name  string
	fresh func(w *restmappertest.World) (meta.RESTMapper, error)
}{
	{"ours", func(w *restmappertest.World) (meta.RESTMapper, error) {
		return restmapper.New(w.Client(), restmappertest.Server), nil
	}},
	{"upstream", func(w *restmappertest.World) (meta.RESTMapper, error) {
		return apiutil.NewDynamicRESTMapper(&rest.Config{Host: restmappertest.Server, QPS: -1}, w.Client())
	}},
}

// many is a world of so many group versions with ten kinds each.
func many(n int) (w *restmappertest.World, last schema.GroupVersion) {
	w = restmappertest.NewWorld()
	w.Serve(core, restmappertest.Resource("pods", "pod", "Pod", true))
	for i := range n {
		last = schema.GroupVersion{Group: fmt.Sprintf("g%d.example.com", i), Version: "v1"}
		for k := range 10 {
			w.Serve(last, restmappertest.Resource(fmt.Sprintf("k%ds", k), fmt.Sprint("k", k), fmt.Sprint("K", k), true))
		}
	}
	return w, last
}

// BenchmarkRESTMapping is what a client asks for each request: a kind in a version, from all processors.
func BenchmarkRESTMapping(b *testing.B) {
	for _, impl := range impls {
		b.Run("impl="+impl.name, func(b *testing.B) {
			world, gv := many(30)
			m, err := impl.fresh(world)
			if err != nil {
				b.Fatal(err)
			}
			for _, known := range []schema.GroupVersion{gv, core} { // so that upstream's knows more than one, too
				_, _ = m.RESTMapping(schema.GroupKind{Group: known.Group, Kind: "Pod"}, known.Version)
			}
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := m.RESTMapping(schema.GroupKind{Group: gv.Group, Kind: "K7"}, "v1"); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

// BenchmarkFirstKind is the first question that a mapper is asked, with what it asks a server that is in memory.
func BenchmarkFirstKind(b *testing.B) {
	for _, impl := range impls {
		b.Run("impl="+impl.name, func(b *testing.B) {
			world, gv := many(30)
			for b.Loop() {
				m, err := impl.fresh(world)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := m.RESTMapping(schema.GroupKind{Group: gv.Group, Kind: "K7"}, "v1"); err != nil {
					b.Fatal(err)
				}
			}
			world.Requests()
		})
	}
}
