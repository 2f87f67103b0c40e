package cluster

import (
	"context"
	"net/http"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// definitions is the path of all CustomResourceDefinitions.
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// servedWithin is how long a new kind may take to be served, on a busy machine.
const servedWithin = 30 * time.Second

// NewKind makes a kind of the test's own, by a CustomResourceDefinition without a schema, and returns the path of its
// objects in the test's namespace. It returns when the API server serves lists and watches of them. The definition is
// deleted at the end of the test.
func (c *Cluster) NewKind() (collection string) {
	c.t.Helper()
	type object = map[string]any
	group := "g" + lab.Suffix() + ".scratch.example.com" // the definition is the cluster's, and so must be the name
	name := "things." + group
	c.Must(http.MethodPost, definitions, object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": name},
		"spec": object{
			"group": group, "scope": "Namespaced", "names": object{"plural": "things", "kind": "Thing"},
			"versions": []object{{"name": "v1", "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": object{"type": "object"}}}},
		},
	}, nil)
	c.t.Cleanup(func() {
		url := c.Server.String() + definitions + "/" + name
		if _, err := lab.MustSendJSON(context.Background(), c.HTTPClient(), http.MethodDelete, url, nil); err != nil {
			c.t.Errorf("deleting the test's kind: %v", err)
		}
	})
	collection = "/apis/" + group + "/v1/namespaces/" + c.Namespace + "/things"
	deadline := time.Now().Add(servedWithin)
	for !c.watches(collection) {
		if time.Now().After(deadline) {
			c.t.Fatalf("%s is not served %s after its definition was made", name, servedWithin)
		}
		time.Sleep(20 * time.Millisecond) // nothing announces it: Established comes before the watch cache is filled
	}
	return collection
}

// watches says whether a watch of the collection is accepted: it is 404 at first, and 429 while the watch cache is
// filled.
func (c *Cluster) watches(collection string) bool {
	resp := c.Open(http.MethodGet, collection+"?watch=true", nil)
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}
