package restmapper_test

import (
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper/restmappertest"
)

// TestMapper gives the mapper to the suite. Upstream's has tests of its own there.
func TestMapper(t *testing.T) {
	restmappertest.Run(t, func(client *http.Client, server string) (meta.RESTMapper, error) {
		return restmapper.New(client, server), nil
	})
}
