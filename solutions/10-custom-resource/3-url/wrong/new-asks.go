// Breaks: It sends no request.
// Caught by: TestRequests
// Message: New sends no request

//go:build wrong

package url

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func New(server Server) *Finder {
	f := &Finder{server: server, entries: map[schema.GroupVersion][]metav1.APIResource{}}
	_, _ = f.Find(schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}) // each program needs these
	return f
}
