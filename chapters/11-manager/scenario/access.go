package scenario

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// World is chapter 09's: the namespaces of a run.
type World = scenario.World

// Wrap puts something between a client and the server.
type Wrap = func(http.RoundTripper) http.RoundTripper

// Access is how the run's API server is reached, through what is put in between: the last is next to the client. What
// is written is JSON, so that it can be read on the way.
func Access(l *lab.Lab, between ...Wrap) *rest.Config {
	transport := l.HTTPClient().Transport
	for _, wrap := range between {
		transport = wrap(transport)
	}
	return managed.Over(&rest.Config{Host: l.Server.String(), QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, transport)
}
