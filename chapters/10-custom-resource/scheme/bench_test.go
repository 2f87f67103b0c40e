package scheme_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme/schemetest"
)

// impls are what is measured side by side: schemes that know every type of client-go.
//
//	make bench CH=10
func impls(b *testing.B) map[string]schemetest.Scheme {
	return map[string]schemetest.Scheme{"ours": fed(b, clientscheme.Scheme), "upstream": clientscheme.Scheme}
}

// BenchmarkObjectKinds is what an encoder asks for each object.
func BenchmarkObjectKinds(b *testing.B) {
	for _, impl := range []string{"ours", "upstream"} {
		s := impls(b)[impl]
		b.Run("impl="+impl, func(b *testing.B) {
			object := runtime.Object(&appsv1.Deployment{})
			for b.Loop() {
				if _, _, err := s.ObjectKinds(object); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkNew is what a decoder asks for each object.
func BenchmarkNew(b *testing.B) {
	kind := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	for _, impl := range []string{"ours", "upstream"} {
		s := impls(b)[impl]
		b.Run("impl="+impl, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.New(kind); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
