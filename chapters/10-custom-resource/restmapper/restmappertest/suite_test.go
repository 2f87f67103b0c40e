package restmappertest_test

import (
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper/restmappertest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// TestUpstream shows that the suite asks for nothing that controller-runtime's mapper does not do, on a server with
// aggregated discovery.
func TestUpstream(t *testing.T) {
	restmappertest.Run(t, func(client *http.Client, server string) (meta.RESTMapper, error) {
		aggregating := &http.Client{Transport: &aggregated{client.Transport}}
		return apiutil.NewDynamicRESTMapper(&rest.Config{Host: server}, aggregating)
	})
}
