package claims

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// The fake clientset stores what it is given: it sets neither UID nor resourceVersion nor generation, refuses no stale
// update and no impossible name, and its informers begin with a list. NewClientset knows server-side apply, and
// NewSimpleClientset does not.
//
// covers: C-19
func TestTheFakeClientsetIsNoServer(t *testing.T) {
	applied := applycorev1.ConfigMap("a", "d").WithData(map[string]string{"cups": "1"})
	by := metav1.ApplyOptions{FieldManager: "test"}
	_, err := fake.NewSimpleClientset().CoreV1().ConfigMaps("d").Apply(t.Context(), applied, by)
	require.EqualError(t, err, `configmaps "a" not found`)

	client := fake.NewClientset()
	maps := client.CoreV1().ConfigMaps("d")
	made, err := maps.Apply(t.Context(), applied, by)
	require.NoError(t, err)
	require.Empty(t, made.UID)
	require.Empty(t, made.ResourceVersion, "a version would have been the belief")
	made.ResourceVersion = "1"
	_, err = maps.Update(t.Context(), made, metav1.UpdateOptions{})
	require.NoError(t, err)
	made.ResourceVersion = "a stale one"
	_, err = maps.Update(t.Context(), made, metav1.UpdateOptions{})
	require.NoError(t, err, "a conflict would have been the belief")
	_, err = maps.Create(t.Context(), cm("No Name", ""), metav1.CreateOptions{})
	require.NoError(t, err)
	require.True(t, client.IsWatchListSemanticsUnSupported())
}

// So with a fake clientset each update has the version of the one before, "", and is taken for a resync. A handler
// without a resync period, on an informer that has one, is told of it only until the informer looks for the first time.
// A test of a controller that runs long enough finds a bug that is not there.
//
// covers: C-19 B-48
func TestWithAFakeClientsetEachUpdateIsAResync(t *testing.T) {
	for period, want := range map[time.Duration][]string{
		0:                {"add a@", "update a@ to a@"},
		10 * time.Second: {"add a@"},
	} {
		t.Run(fmt.Sprint(period), func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				client := fake.NewSimpleClientset(cm("a", ""))
				var h diary
				factory := informers.NewSharedInformerFactory(client, period)
				_, err := factory.Core().V1().ConfigMaps().Informer().AddEventHandlerWithResyncPeriod(h.handler(""), 0)
				require.NoError(t, err)
				stop := run(factory.StartWithContext)
				defer factory.Shutdown()
				defer stop()
				time.Sleep(15 * time.Second)
				maps := client.CoreV1().ConfigMaps("d")
				_, err = maps.Update(t.Context(), cm("a", ""), metav1.UpdateOptions{})
				require.NoError(t, err)
				require.Equal(t, want, h.new())
			})
		})
	}
}

// A watch of a fake clientset's has room for a hundred events. Where nobody reads them, the write that makes one more
// panics, in the test and not in what should have read.
func TestAFakeWatchHoldsAHundredEvents(t *testing.T) {
	maps := fake.NewClientset().CoreV1().ConfigMaps("d")
	w, err := maps.Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	create := func(i int) {
		_, err := maps.Create(t.Context(), cm(fmt.Sprint("m", i), ""), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	for i := range 100 {
		create(i)
	}
	require.PanicsWithError(t, "channel full", func() { create(100) })
	w.Stop()
	create(101)
}
