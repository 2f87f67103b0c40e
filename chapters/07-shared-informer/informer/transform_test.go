package informer_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// interrupted is a server whose watch ends, in good order, before a deletion. It takes note of where watches begin.
type interrupted struct {
	mu      sync.Mutex
	watches []string
}

func (i *interrupted) list(context.Context, metav1.ListOptions) (runtime.Object, error) {
	list := &corev1.ConfigMapList{Items: []corev1.ConfigMap{*configMap("a", "9"), *configMap("b", "10")}}
	list.ResourceVersion = "10"
	return list, nil
}

func (i *interrupted) watch(_ context.Context, o metav1.ListOptions) (watch.Interface, error) {
	if o.SendInitialEvents != nil {
		return nil, reflectortest.Unsupported()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.watches = append(i.watches, o.ResourceVersion)
	w := watch.NewFakeWithChanSize(10, false)
	switch o.ResourceVersion {
	case "10":
		w.Modify(configMap("a", "11"))
		time.AfterFunc(time.Minute, w.Stop)
	case "11":
		w.Delete(configMap("b", "12"))
	default: // what there is now, which says nothing of b
		w.Add(configMap("a", "11"))
	}
	return w, nil
}

func (i *interrupted) began() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return strings.Join(i.watches, " ")
}

// A transform may change an object in place, its version, too. The next watch begins behind the event all the same, and
// so the informer hears of what was deleted meanwhile.
func TestATransformInPlace(t *testing.T) {
	for name, create := range implementations {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				server := &interrupted{}
				source := &cache.ListWatch{ListWithContextFunc: server.list, WatchFuncWithContext: server.watch}
				i := create(source, 0, nil)
				require.NoError(t, i.SetTransform(strip))
				defer begin(t.Context(), i)()
				time.Sleep(time.Hour)
				synctest.Wait()
				require.Equal(t, "10 11", server.began())
				require.Equal(t, []string{"d/a"}, i.GetStore().ListKeys())
				require.Equal(t, "12", i.LastSyncResourceVersion())
			})
		})
	}
}
