package claims

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Pod on a node has time to end: its deletionTimestamp lies in the future, thirty seconds after the request unless
// the Pod or the request says otherwise, and the Pod is there without a finalizer. A further request may make it
// sooner, and not later. A period of nothing ends it. Without a node there is nobody to end anything, and the Pod is
// gone at once.
//
// covers: B-88 B-89 S0-57
func TestAPodHasTimeToEnd(t *testing.T) {
	s := newSite(t)
	account := made(s, &corev1.ServiceAccount{ObjectMeta: s.named("pods")})
	pod := func(name, node string) *corev1.Pod {
		return made(s, &corev1.Pod{ObjectMeta: s.named(name), Spec: corev1.PodSpec{NodeName: node,
			ServiceAccountName: account.Name, AutomountServiceAccountToken: ptr.To(false),
			NodeSelector: map[string]string{"scratch.example.com/no-node": "has-this"},
			Containers:   []corev1.Container{{Name: "web", Image: "web:1"}}}})
	}
	free, bound := pod("free", ""), pod("bound", "absent")
	require.NoError(t, s.user.Delete(t.Context(), free))
	s.gone(free)

	deletion := func(options string) (*corev1.Pod, time.Time) {
		resp, body := s.Do(http.MethodDelete, s.pathOf(bound), options)
		require.Equal(t, http.StatusOK, resp.StatusCode, "%s", body)
		now := &corev1.Pod{}
		require.NoError(t, json.Unmarshal(body, now))
		asked, err := http.ParseTime(resp.Header.Get("Date"))
		require.NoError(t, err)
		return now, asked
	}
	now, asked := deletion(`{}`)
	require.Empty(t, now.Finalizers)
	require.Equal(t, ptr.To[int64](30), now.DeletionGracePeriodSeconds)
	require.WithinRange(t, now.DeletionTimestamp.Time, asked, asked.Add(30*time.Second))
	first := now.DeletionTimestamp.Time
	began := first.Add(-30 * time.Second)
	require.WithinRange(t, began, asked.Add(-time.Minute), asked, "the request is that long ago, and not the end")

	now, _ = deletion(`{"gracePeriodSeconds":60}`)
	require.Equal(t, first, now.DeletionTimestamp.Time, "it is not put off")
	now, _ = deletion(`{"gracePeriodSeconds":20}`)
	require.Equal(t, ptr.To[int64](20), now.DeletionGracePeriodSeconds)
	require.Equal(t, began.Add(20*time.Second), now.DeletionTimestamp.Time)
	require.NoError(t, s.user.Delete(t.Context(), bound, client.GracePeriodSeconds(0)))
	s.gone(bound)
}
