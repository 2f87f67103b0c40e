package claims

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// A factory has informers of the kinds that client-go has types of. Of others, a dynamic factory makes them.
func TestAFactoryKnowsNoOtherKinds(t *testing.T) {
	factory := informers.NewSharedInformerFactory(nil, 0)
	_, err := factory.ForResource(schema.GroupVersionResource{
		Group: "scratch.example.com", Version: "v1alpha1", Resource: "processes"})
	require.EqualError(t, err, "no informer found for scratch.example.com/v1alpha1, Resource=processes")
}

// A key is a name, or a namespace and a name.
func TestAKeyHasOneSlash(t *testing.T) {
	_, _, err := cache.SplitMetaNamespaceKey("north/menu/color")
	require.EqualError(t, err, `unexpected key format: "north/menu/color"`)
}

// A RetryWatcher that is not allowed to watch does not try again: it sends the refusal as an event, and ends.
func TestARetryWatcherIsRefused(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		asked := 0
		open := func(context.Context, metav1.ListOptions) (watch.Interface, error) {
			asked++
			return nil, apierrors.NewForbidden(corev1.Resource("configmaps"), "", errors.New("no"))
		}
		w, err := watchtools.NewRetryWatcherWithContext(t.Context(), "5", &cache.ListWatch{WatchFuncWithContext: open})
		require.NoError(t, err)
		event := <-w.ResultChan()
		require.Equal(t, watch.Error, event.Type)
		require.Equal(t, "configmaps is forbidden: no", event.Object.(*metav1.Status).Message)
		<-w.Done()
		require.Equal(t, 1, asked)
	})
}
