package claims

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// etcd is that of a control plane of the test's own. It answers JSON, too, in which keys and values are base64.
type etcd struct{ http *http.Client }

func etcdOf(t *testing.T, c *cluster.Cluster) *etcd {
	t.Helper()
	socket := filepath.Join(filepath.Dir(c.Kubeconfig), "e.sock")
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", socket)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &etcd{&http.Client{Transport: transport}}
}

// put writes what is stored under a key that is there.
func (e *etcd) put(t *testing.T, key, value string) {
	t.Helper()
	body, err := json.Marshal(map[string][]byte{"key": []byte(key), "value": []byte(value)})
	require.NoError(t, err)
	resp, answer := cluster.Do(t, e.http, http.MethodPost, "http://etcd/v3/kv/put", body)
	require.Equal(t, http.StatusOK, resp.StatusCode, "%s", answer)
}

// An object whose stored bytes are no object any more can't be read, changed or deleted, and neither can a list with it
// be read: one such object stops each informer of its kind. One option of a deletion gets it out. It takes the key from
// the store and asks nobody: what the finalizers stood for is not done. For an object that can be read it is refused,
// and it has a verb of its own, which the right to delete does not have in it.
//
// covers: S0-58
func TestAnObjectThatCantBeDecoded(t *testing.T) {
	c := cluster.Private(t)
	s := siteOn(t, c)
	broken, sound := made(s, s.configMap("broken", ours)), made(s, s.configMap("sound"))
	etcdOf(t, c).put(t, "/registry/configmaps/"+s.Namespace+"/broken", "{garbage")

	all, key := &corev1.ConfigMapList{}, client.ObjectKeyFromObject(broken)
	for what, ask := range map[string]func() error{
		"get":    func() error { return s.user.Get(t.Context(), key, broken.DeepCopy()) },
		"delete": func() error { return s.user.Delete(t.Context(), broken) },
		"list":   func() error { return s.user.List(t.Context(), all, client.InNamespace(s.Namespace)) },
	} {
		err := ask()
		words := refused(t, http.StatusInternalServerError, err)
		require.Contains(t, words, "StorageError: corrupt object, Code: 7", what)
		require.Contains(t, words, "object not decodable", what)
		if what == "list" {
			require.Contains(t, words, "failed to read one or more configmaps from the storage")
			require.Equal(t, metav1.StatusReasonStoreReadError, apierrors.ReasonForError(err))
		}
	}
	refused(t, http.StatusInternalServerError, s.patch(broken, only()))
	onServer(s, sound)
	require.NoError(t, s.user.List(t.Context(), all, client.InNamespace("kube-system")), "it is not in that list")

	whatever := &metav1.DeleteOptions{IgnoreStoreReadErrorWithClusterBreakingPotential: ptr.To(true)}
	resp, words := s.Do(http.MethodDelete, s.pathOf(sound), whatever)
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	require.Contains(t, string(words), "unsafe deletion is not allowed because the object is decodable from storage")

	s.lets("deleter", "delete configmaps")
	s.awaitRight("deleter", "delete")
	resp, words = s.Do(http.MethodDelete, s.pathOf(broken), whatever, "Impersonate-User: deleter")
	require.Equal(t, http.StatusForbidden, resp.StatusCode)
	require.Contains(t, string(words), "unsafe-delete-ignore-read-errors")

	resp, words = s.Do(http.MethodDelete, s.pathOf(broken), whatever)
	require.Equal(t, http.StatusOK, resp.StatusCode, "%s", words)
	s.gone(broken)
	require.NoError(t, s.user.List(t.Context(), all, client.InNamespace(s.Namespace)))
}
