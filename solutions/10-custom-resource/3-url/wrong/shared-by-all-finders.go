// Misconception: there is one API server.
// Caught by: TestRequests
// Message: at first, Find of v1 Pod: v1 pods, with GET /api/v1 Happened: v1 pods, with no request

//go:build wrong

package url

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var remembered = map[schema.GroupVersion][]metav1.APIResource{}

func New(server Server) *Finder {
	return &Finder{server: server, entries: remembered}
}
