package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/tools/cache"
)

// Who reads from the cache what he has just written reads the old state: the write comes back by the watch, some time
// later. The server's answer has the version of the write, and the store says which version it has reached, so that one
// can wait for it. The store's version moves with the events of all its objects.
//
// covers: C-03
func TestAReadWaitsForItsWrite(t *testing.T) {
	n := newCounted(t)
	made := n.create(t, "a")
	factory := n.factory(0)
	informer := factory.Core().V1().ConfigMaps().Informer()
	told := make(chan struct{}, 100)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { told <- struct{}{} },
		UpdateFunc: func(any, any) { told <- struct{}{} },
		DeleteFunc: func(any) { told <- struct{}{} },
	})
	require.NoError(t, err)
	n.run(t, factory)
	store := informer.GetStore()
	cached := func() (*corev1.ConfigMap, bool) {
		o, exists, err := store.GetByKey(n.Namespace + "/a")
		require.NoError(t, err)
		if !exists {
			return nil, false
		}
		return o.(*corev1.ConfigMap), true
	}
	reached := func(version string) bool {
		order, err := resourceversion.CompareResourceVersion(store.LastStoreSyncResourceVersion(), version)
		require.NoError(t, err)
		return order >= 0
	}
	require.True(t, reached(made.ResourceVersion))

	n.gate.Lock() // the watch is late, as it may always be
	made.Data["cups"] = "2"
	written, err := n.CoreV1().ConfigMaps(n.Namespace).Update(t.Context(), made, metav1.UpdateOptions{})
	require.NoError(t, err)
	stale, _ := cached()
	require.NotEqual(t, written.Data, stale.Data, "what was written would have been the belief")
	require.Equal(t, "1", stale.Data["cups"])
	require.False(t, reached(written.ResourceVersion))
	n.gate.Unlock()
	for !reached(written.ResourceVersion) {
		<-told // in a handler, or wherever one hears of a change
	}
	fresh, _ := cached()
	require.Equal(t, "2", fresh.Data["cups"])

	n.gate.Lock()
	require.NoError(t, n.CoreV1().ConfigMaps(n.Namespace).Delete(t.Context(), "a", metav1.DeleteOptions{}))
	last := n.create(t, "b") // whose version is newer than that of the deletion
	_, exists := cached()
	require.True(t, exists)
	n.gate.Unlock()
	for !reached(last.ResourceVersion) {
		<-told
	}
	_, exists = cached()
	require.False(t, exists)
}
