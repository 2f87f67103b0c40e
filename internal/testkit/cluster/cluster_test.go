package cluster

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { Main(m) }

func TestEachTestHasANamespaceOfItsOwn(t *testing.T) {
	a, b := New(t), New(t)
	require.NotEqual(t, a.Namespace, b.Namespace)
	require.Same(t, a.Instance, b.Instance, "and shares the servers")
	path := "/api/v1/namespaces/" + a.Namespace + "/configmaps"
	a.Must(http.MethodPost, path, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}`, nil)
	var got struct{ Metadata struct{ Name string } }
	a.Must(http.MethodGet, path+"/x", nil, &got)
	require.Equal(t, "x", got.Metadata.Name)
	resp, body := b.Do(http.MethodGet, strings.Replace(path, a.Namespace, b.Namespace, 1)+"/x", nil)
	require.Equal(t, 404, resp.StatusCode, string(body))
}

func TestTheNamespaceIsDeletedWithTheTest(t *testing.T) {
	var inner *Cluster
	t.Run("a test", func(t *testing.T) { inner = New(t) })
	c := inner.For(t)
	resp, body := c.Do(http.MethodGet, "/api/v1/namespaces/"+c.Namespace, nil)
	require.True(t, resp.StatusCode == 404 || strings.Contains(string(body), "deletionTimestamp"), string(body))
}

func TestKubectl(t *testing.T) {
	c := New(t)
	c.Kubectl("create", "configmap", "tea", "--from-literal=cups=1")
	require.Equal(t, "1", c.Kubectl("get", "configmap", "tea", "-o", "jsonpath={.data.cups}"))
	out, err := c.TryKubectl("get", "configmap", "coffee")
	require.Error(t, err)
	require.Contains(t, out, "NotFound")
}

// A kind of a test's own can be listed and watched as soon as there is a path for it, and ends with the test.
func TestNewKind(t *testing.T) {
	c := New(t)
	var path string
	t.Run("a test", func(t *testing.T) {
		path = c.For(t).NewKind()
		resp := c.Open(http.MethodGet, path+"?watch=true&timeoutSeconds=1", nil)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 200, resp.StatusCode)
		c.Must(http.MethodPost, path, `{"apiVersion":"`+strings.Split(path,
			"/")[2]+`/v1","kind":"Thing","metadata":{"name":"a"}}`, nil)
	})
	require.Eventually(t, func() bool {
		resp, _ := c.Do(http.MethodGet, path, nil)
		return resp.StatusCode == 404
	}, 20*time.Second, 20*time.Millisecond, "the kind is gone with its test")
}
