package claims

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/features"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func configMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"value": value}}
}

// TestClientset uses client-go's typed clients, which write and read protobuf.
func TestClientset(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		ctx, maps := t.Context(), s.clientset(t).CoreV1().ConfigMaps(s.namespace)
		made, err := maps.Create(ctx, configMap("a", "1"), metav1.CreateOptions{})
		require.NoError(t, err)
		assert.NotEmpty(t, made.UID)
		assert.False(t, made.CreationTimestamp.IsZero())
		_, err = maps.Create(ctx, configMap("a", "1"), metav1.CreateOptions{})
		assert.True(t, apierrors.IsAlreadyExists(err), "%v", err)

		changed := made.DeepCopy()
		changed.Data["value"] = "2"
		_, err = maps.Update(ctx, changed, metav1.UpdateOptions{})
		require.NoError(t, err)
		_, err = maps.Update(ctx, made, metav1.UpdateOptions{})
		assert.True(t, apierrors.IsConflict(err), "%v", err)
		assert.ErrorContains(t, err, "the object has been modified; "+
			"please apply your changes to the latest version and try again")

		patched, err := maps.Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"labels":{"tier":"web"}}}`),
			metav1.PatchOptions{})
		require.NoError(t, err)
		assert.Equal(t, "2", patched.Data["value"])
		list, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "tier=web"})
		require.NoError(t, err)
		require.Len(t, list.Items, 1)
		assert.Equal(t, patched.ResourceVersion, list.Items[0].ResourceVersion)

		stale := metav1.NewPreconditionDeleteOptions(string(made.UID))
		stale.Preconditions.ResourceVersion = &made.ResourceVersion
		assert.True(t, apierrors.IsConflict(maps.Delete(ctx, "a", *stale)))
		require.NoError(t, maps.Delete(ctx, "a", metav1.DeleteOptions{}))
		_, err = maps.Get(ctx, "a", metav1.GetOptions{})
		assert.True(t, apierrors.IsNotFound(err), "%v", err)
	})
}

// TestNoUpdateIsLost increments one counter from many clients that retry on conflict.
func TestNoUpdateIsLost(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		ctx, maps := t.Context(), s.clientset(t).CoreV1().ConfigMaps(s.namespace)
		_, err := maps.Create(ctx, configMap("counter", ""), metav1.CreateOptions{})
		require.NoError(t, err)
		const clients, times = 3, 5
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				for range times {
					patient := wait.Backoff{Steps: 100, Duration: 5 * time.Millisecond, Factor: 1.1, Jitter: 1}
					err := retry.RetryOnConflict(patient, func() error {
						c, err := maps.Get(ctx, "counter", metav1.GetOptions{})
						if err != nil {
							return err
						}
						c.Data["value"] += "x"
						_, err = maps.Update(ctx, c, metav1.UpdateOptions{})
						return err
					})
					assert.NoError(t, err)
				}
			})
		}
		wg.Wait()
		c, err := maps.Get(ctx, "counter", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Len(t, c.Data["value"], clients*times)
	})
}

// TestInformer runs client-go's informer, which begins with a streaming list, and compares its
// cache with the server, before and after changes.
func TestInformer(t *testing.T) {
	require.True(t, features.FeatureGates().Enabled(features.WatchListClient),
		"the streaming list is client-go's default")
	onBoth(t, func(t *testing.T, s side) {
		client := s.clientset(t)
		ctx, cancel := context.WithCancel(t.Context())
		configMaps := client.CoreV1().ConfigMaps(s.namespace)
		for i := range 5 {
			_, err := configMaps.Create(ctx, configMap(fmt.Sprint("before-", i), "1"), metav1.CreateOptions{})
			require.NoError(t, err)
		}
		factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(s.namespace))
		informer := factory.Core().V1().ConfigMaps().Informer()
		heard := make(chan string, 100)
		registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(o any) { heard <- "add " + o.(*corev1.ConfigMap).Name },
			UpdateFunc: func(_, o any) { heard <- "update " + o.(*corev1.ConfigMap).Name },
			DeleteFunc: func(o any) { heard <- "delete " + o.(*corev1.ConfigMap).Name },
		})
		require.NoError(t, err)
		factory.Start(ctx.Done())
		defer factory.Shutdown()
		defer cancel()
		require.True(t, cache.WaitForCacheSync(ctx.Done(), registration.HasSynced))
		got := map[string]bool{}
		for len(got) < 5 {
			// A full cluster puts a ConfigMap of its own into each namespace, when it pleases.
			if h := <-heard; strings.HasPrefix(h, "add before-") {
				got[h] = true
			}
		}
		assert.Contains(t, slices.Collect(maps.Keys(got)), "add before-3")

		made, err := configMaps.Create(ctx, configMap("after", "1"), metav1.CreateOptions{})
		require.NoError(t, err)
		expect := func(want string) {
			t.Helper()
			for heard := range heard {
				if strings.HasSuffix(heard, " "+lab.ForeignConfigMap) {
					continue
				}
				require.Equal(t, want, heard)
				return
			}
		}
		expect("add after")
		made.Data["value"] = "2"
		_, err = configMaps.Update(ctx, made, metav1.UpdateOptions{})
		require.NoError(t, err)
		expect("update after")
		require.NoError(t, configMaps.Delete(ctx, "before-0", metav1.DeleteOptions{}))
		expect("delete before-0")

		list, err := configMaps.List(ctx, metav1.ListOptions{})
		require.NoError(t, err)
		want := map[string]string{}
		for _, c := range list.Items {
			if !lab.Foreign(c.Name) {
				want[c.Name] = c.ResourceVersion
			}
		}
		have := map[string]string{}
		for _, o := range informer.GetStore().List() {
			if c := o.(*corev1.ConfigMap); !lab.Foreign(c.Name) {
				have[c.Name] = c.ResourceVersion
			}
		}
		assert.Equal(t, want, have)
		if s.requests != nil {
			var first string
			lists := 0
			for _, r := range s.requests() {
				switch q := r.URL.Query(); {
				case r.Method == "GET" && q.Get("watch") == "true" && first == "":
					first = q.Get("sendInitialEvents")
				case r.Method == "GET" && q.Get("watch") == "":
					lists++
				}
			}
			assert.Equal(t, "true", first, "the informer's first watch asks for the state")
			assert.Equal(t, 1, lists, "the only LIST is the test's own")
		}
	})
}
