package claims

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// TestEventsHaveNoWatchCache: Events are the exception. kube-apiserver keeps no cache of them by default, so that
// thirty clients that watch Events are thirty watchers in etcd.
//
// covers: B-11
func TestEventsHaveNoWatchCache(t *testing.T) {
	testkit.Needs(t, testkit.EtcdMetrics)
	s, p := upstream(t), planeOf(t, cluster.Shared(t).Cluster)
	defer http.DefaultClient.CloseIdleConnections()
	watchers := func() float64 {
		n, found := metrics(t, http.DefaultClient, p.EtcdMetrics+"/metrics", "etcd_debugging_mvcc_watcher_total")
		require.True(t, found)
		return n
	}
	before := watchers()
	const clients = 30
	for range clients {
		r, err := http.NewRequestWithContext(t.Context(), "GET",
			s.url+"/api/v1/namespaces/"+s.namespace+"/events?watch=true&timeoutSeconds=20", nil)
		require.NoError(t, err)
		response, err := s.http.Do(r)
		require.NoError(t, err)
		defer response.Body.Close()
	}
	require.Eventually(t, func() bool { return watchers()-before >= clients }, 15*time.Second, 20*time.Millisecond,
		"etcd has a watcher more for each client")
}

// TestWatchFromNow: sendInitialEvents=false leaves out the objects that exist. Alone it is refused.
//
// covers: B-01
func TestWatchFromNow(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		code, _ := s.ask(t, "POST", s.collection(), `{"metadata":{"name":"before"}}`)
		require.Equal(t, 201, code)
		code, answer := s.ask(t, "GET", s.collection()+"?watch=true&timeoutSeconds=1&sendInitialEvents=false", "")
		assert.Equal(t, 422, code)
		assert.Contains(t, answer["message"], "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")

		r, err := http.NewRequestWithContext(t.Context(), "GET", s.collection()+
			"?watch=true&timeoutSeconds=20&sendInitialEvents=false&resourceVersionMatch=NotOlderThan", nil)
		require.NoError(t, err)
		response, err := s.http.Do(r)
		require.NoError(t, err)
		defer response.Body.Close()
		code, _ = s.ask(t, "POST", s.collection(), `{"metadata":{"name":"now"}}`)
		require.Equal(t, 201, code)
		lines := bufio.NewScanner(response.Body)
		for lines.Scan() {
			require.NotContains(t, lines.Text(), `"name":"before"`)
			if strings.Contains(lines.Text(), `"name":"now"`) {
				return
			}
		}
		t.Error("the watch ended without the object that was created after it began")
	})
}

// TestForeignUID: a PUT that carries another object's uid is refused, before anything is wiped.
//
// covers: C-51
func TestForeignUID(t *testing.T) {
	const uid = "00000000-0000-0000-0000-000000000000"
	onBoth(t, func(t *testing.T, s side) {
		body := fmt.Sprintf(`{"metadata":{"name":"a","uid":%q}}`, uid)
		code, answer := s.ask(t, "POST", s.collection(), body)
		require.Equal(t, 201, code)
		assert.NotEqual(t, uid, answer["metadata"].(map[string]any)["uid"], "a create wipes it")
		code, answer = s.ask(t, "PUT", s.collection()+"/a", body)
		assert.Equal(t, 409, code)
		assert.Contains(t, answer["message"], "Precondition failed: UID in precondition: "+uid)
	})
	t.Run("where a PUT may create", func(t *testing.T) {
		testkit.Needs(t, testkit.MinorVersion)
		s := upstream(t)
		lease := fmt.Sprintf(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a","uid":%q},"spec":{}}`, uid)
		url := s.url + "/apis/coordination.k8s.io/v1/namespaces/" + s.namespace + "/leases/a"
		code, answer := s.ask(t, "PUT", url, lease)
		assert.Equal(t, 409, code, "%v", answer)
		assert.Contains(t, answer["message"], "UID in precondition")
		code, answer = s.ask(t, "PATCH", url+"?fieldManager=test", lease, "Content-Type: application/apply-patch+yaml")
		assert.Equal(t, 409, code, "%v", answer)
		assert.Contains(t, answer["message"],
			"uid mismatch: the provided object specified uid "+uid+", and no existing object was found")
	})
}
