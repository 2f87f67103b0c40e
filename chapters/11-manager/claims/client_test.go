package claims

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// One client is for all kinds, those of its scheme as Go types and any other as nested maps. What it reads, it reads
// from the cache, and what it writes is one request.
//
// covers: S3-16 S3-17 S0-22
func TestOneClientForAllKinds(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := w.begun(nil)
		over := m.GetClient()
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "north", Name: "key"}}
		require.NoError(t, over.Create(t.Context(), secret))
		require.NoError(t, over.Get(t.Context(), client.ObjectKeyFromObject(secret), secret))
		require.Contains(t, w.requested(), "GET secrets, a watch")
		written := func(write func() error) []string {
			require.NoError(t, write())
			return w.requested()
		}
		ctx, menu := t.Context(), loose("ConfigMap")
		menu.SetNamespace("north")
		menu.SetName("menu")
		for want, write := range map[string]func() error{
			"PUT secrets/key":     func() error { return over.Update(ctx, secret) },
			"PATCH secrets/key":   func() error { return over.Patch(ctx, secret.DeepCopy(), client.Merge) },
			"POST configmaps":     func() error { return over.Create(ctx, menu) },
			"DELETE secrets/none": func() error { return ignore(over.Delete(ctx, named("none"))) },
		} {
			require.Equal(t, []string{want}, written(write))
		}
		var list corev1.SecretList
		require.NoError(t, over.List(ctx, &list, client.InNamespace("north")))
		require.Len(t, list.Items, 1)
		require.Empty(t, w.requested())
	})
}

func ignore(err error) error { return client.IgnoreNotFound(err) }

func named(name string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "north", Name: name}}
}

// The metrics of a manager are served at :8080 if nothing is said, and so two managers on one machine need another
// address, or "0", which is none. Of the second, the manager's start fails.
//
// covers: C-32
func TestWhereMetricsAreServed(t *testing.T) {
	require.Equal(t, ":8080", server.DefaultBindAddress)
	w := newWorld(t) // in no bubble: it listens
	options := w.options()
	options.Metrics.BindAddress = "nowhere:1:2"
	runs := start(t, w.manager(options).Start)
	<-runs.Ended
	require.ErrorContains(t, runs.Stop(), "failed to start metrics server: failed to create listener")
	require.NotEmpty(t, counted(t, "mirror"), "and they are counted in any case")
}

// A webhook server on the port -1 is none: it is added, and ends at once.
//
// covers: C-50
func TestAWebhookServerThatIsOff(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		options := w.options()
		options.WebhookServer = webhook.NewServer(webhook.Options{Port: -1})
		m := w.manager(options)
		m.GetWebhookServer()
		runs := start(t, m.Start)
		pass(time.Hour)
		require.False(t, runs.over())
		require.Contains(t, strings.Join(w.log(), "\n"), "INFO Webhook server is disabled")
	})
}

// The versions of upstream's fake client count per object, unless it is told to have one counter, as a server has:
// only then can those of two objects be compared.
//
// covers: C-50
func TestVersionsOfTheFakeClient(t *testing.T) {
	for _, global := range []bool{false, true} {
		b := fake.NewClientBuilder()
		if global {
			b = b.WithGlobalResourceVersionCounter()
		}
		over := b.Build()
		one, two := configMap("north", "one"), configMap("north", "two")
		require.NoError(t, over.Create(t.Context(), one))
		require.NoError(t, over.Create(t.Context(), two))
		require.Equal(t, global, one.ResourceVersion != two.ResourceVersion, fmt.Sprint(global))
	}
}

// A cache is the manager's, and so are its informers: two controllers of a kind have one, and each has its own handler
// there. A third way of seeing the objects of the kind has a third informer, and a third copy of them.
//
// covers: S0-26 B-94 S3-10
func TestTwoControllersShareAnInformer(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		m := w.manager(w.options())
		for _, name := range []string{"first", "second", "third"} {
			b := ctrl.NewControllerManagedBy(m).Named(name)
			if name == "third" {
				b = b.For(loose("ConfigMap"))
			} else {
				b = b.For(configMap("", ""))
			}
			require.NoError(t, b.Complete(w.record.Reconciler(name, noop)))
		}
		w.record.Restart()
		start(t, m.Start)
		pass(time.Second)
		synctest.Wait()
		require.Equal(t, []string{"*unstructured.Unstructured of ConfigMap", "*v1.ConfigMap"}, made(w.record))
		require.Len(t, times(w.record, "*v1.ConfigMap gets a handler"), 2)
		require.Len(t, times(w.record, "GET configmaps, a watch"), 2)
		for _, name := range []string{"first", "second", "third"} {
			require.Len(t, times(w.record, name+" runs north/menu"), 1)
		}
	})
}
