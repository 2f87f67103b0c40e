package cluster

import (
	"net/http"
	"strings"
	"testing"

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
