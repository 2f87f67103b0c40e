package kind

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// markedServer answers as a cluster whose mark names checkout; "" has no mark.
func markedServer(t *testing.T, checkout string) (kubeconfig string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method != http.MethodGet {
			t.Errorf("someone else's cluster was sent a %s %s", r.Method, r.URL)
		}
		if checkout == "" {
			w.WriteHeader(http.StatusNotFound)
			_ = json.NewEncoder(w).Encode(metav1.Status{
				TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
				Status:   metav1.StatusFailure, Reason: metav1.StatusReasonNotFound, Code: http.StatusNotFound,
			})
			return
		}
		_ = json.NewEncoder(w).Encode(corev1.ConfigMap{
			TypeMeta:   metav1.TypeMeta{Kind: "ConfigMap", APIVersion: "v1"},
			ObjectMeta: metav1.ObjectMeta{Name: markName, Namespace: markNamespace},
			Data:       map[string]string{markKey: checkout},
		})
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	content := `apiVersion: v1
kind: Config
current-context: x
contexts: [{name: x, context: {cluster: x, user: x}}]
users: [{name: x, user: {}}]
clusters: [{name: x, cluster: {server: "` + server.URL + `"}}]
`
	require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
	return file
}

func TestAClusterOfSomeoneElseIsNotTouched(t *testing.T) {
	c := newCluster(t)
	err := c.checkMark(t.Context(), markedServer(t, ""))
	assert.ErrorContains(t, err, "this project did not make it, so it is not touched")

	err = c.checkMark(t.Context(), markedServer(t, "/home/other/checkout"))
	assert.ErrorContains(t, err, "was made by the checkout in /home/other/checkout")

	assert.NoError(t, c.checkMark(t.Context(), markedServer(t, c.root)))
}
