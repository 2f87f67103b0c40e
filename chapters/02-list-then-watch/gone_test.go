package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// customResource makes a CustomResourceDefinition of the test's own, and returns the path of its
// objects in the test's namespace. The server's history of a kind begins with the kind.
func customResource(t *testing.T, f *fixture) string {
	t.Helper()
	name := "g" + lab.Suffix()
	group := name + ".scratch.example.com"
	crds := "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	f.Must(http.MethodPost, crds, object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": "things." + group},
		"spec": object{
			"group": group, "scope": "Namespaced", "names": object{"plural": "things", "kind": "Thing"},
			"versions": []object{{"name": "v1", "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": object{"type": "object"}}}},
		},
	}, nil)
	t.Cleanup(func() {
		req, err := http.NewRequest(http.MethodDelete, f.Server.String()+crds+"/things."+group, nil)
		require.NoError(t, err)
		resp, err := f.HTTPClient().Do(req)
		require.NoError(t, err)
		resp.Body.Close()
	})
	path := watch.Path(group, "v1", f.Namespace, "things")
	require.Eventually(t, func() bool {
		resp, _ := f.Do(http.MethodGet, path, nil)
		return resp.StatusCode == http.StatusOK
	}, 20*time.Second, 50*time.Millisecond, "the new kind is not served")
	return path
}

// TestGoneComesInsideA200: a watch from before the history is accepted with status 200. The refusal is
// an ERROR event, and its words are not those of most texts. Nothing was compacted for it: the watch
// cache's history is shorter than etcd's, and an exact list of that moment still works.
//
// covers: B-16 B-17
func TestGoneComesInsideA200(t *testing.T) {
	t.Parallel()
	f := setup(t)
	old := f.create("before-the-kind")
	path := customResource(t, f)

	resp := f.Open(http.MethodGet, path+"?watch=true&resourceVersion="+old, nil)
	defer resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode, "who looks for 410 here never sees it")
	stream := watch.NewDecoder(resp.Body)
	event, err := stream.Next()
	require.NoError(t, err)
	require.Equal(t, watch.Error, event.Type)
	var status *watch.StatusError
	require.ErrorAs(t, event.Err(), &status)
	require.Equal(t, http.StatusGone, status.Code)
	require.Equal(t, "Expired", status.Reason)
	require.True(t, strings.HasPrefix(status.Message, "too old resource version: "+old+" ("), status.Message)
	_, err = stream.Next()
	require.Equal(t, io.EOF, err, "and that is all")

	listed, _ := f.Do(http.MethodGet, f.path+"?resourceVersionMatch=Exact&resourceVersion="+old, nil)
	require.Equal(t, http.StatusOK, listed.StatusCode, "etcd still has that moment: it was not compacted")
}
