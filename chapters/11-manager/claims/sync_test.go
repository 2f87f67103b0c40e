package claims

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// forbidden refuses requests for a collection, as a server does whose RBAC says nothing of it.
func forbidden(collection string) func(*http.Request) (*http.Response, error) {
	const status = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,` +
		`"message":"secrets is forbidden: User \"nobody\" cannot list resource \"secrets\" in API group \"\" at the ` +
		`cluster scope"}`
	return func(r *http.Request) (*http.Response, error) {
		if !strings.HasSuffix(r.URL.Path, "/"+collection) {
			return nil, nil
		}
		return &http.Response{StatusCode: http.StatusForbidden, Status: "403 Forbidden", Request: r, ProtoMajor: 1,
			Header: http.Header{"Content-Type": {"application/json"}}, Body: text(status)}, nil
	}
}

// A controller waits for two minutes for what it watches. Then it fails, and with it the manager and all of its
// controllers. What was wrong is not in the error: the log said it, again and again, and on other lines.
//
// covers: S3-11 C-30
func TestACacheThatNeverSyncs(t *testing.T) {
	for _, trouble := range []struct {
		name  string
		kind  ctrlObject
		types *runtime.Scheme
		error string
		log   string // is said more than once
	}{
		{"the list is forbidden", &corev1.Secret{}, nil,
			"failed to wait for mirror caches to sync kind source: *v1.Secret: " +
				"timed out waiting for cache to be synced for kind source: *v1.Secret",
			`secrets is forbidden: User "nobody" cannot list resource "secrets" in API group "" at the cluster scope`},
		{"the kind is not served", &corev1.Pod{}, nil,
			"failed to wait for mirror caches to sync kind source: *v1.Pod: " +
				"timed out waiting for cache to be synced for kind source: *v1.Pod",
			`ERROR if kind is a CRD, it should be installed before calling Start: ` +
				`no matches for kind "Pod" in version "v1"`},
		{"the type is not in the scheme", &corev1.Secret{}, runtime.NewScheme(),
			"failed to wait for mirror caches to sync kind source: *v1.Secret: " +
				"timed out waiting for cache to be synced for kind source: *v1.Secret",
			`ERROR kind must be registered to the Scheme: no kind is registered for the type v1.Secret in scheme`},
	} {
		t.Run(trouble.name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := newWorld(t)
				w.wire.instead(forbidden("secrets"))
				options := w.options()
				options.Scheme = trouble.types
				m := w.manager(options)
				require.NoError(t, m.Add(opened.Runnable{Record: w.record, Name: "other controllers"}))
				c, err := controller.New("mirror", m, w.asks("mirror", reconciles(reconcile.Result{}, nil)))
				require.NoError(t, err)
				require.NoError(t, c.Watch(source.Kind(m.GetCache(), trouble.kind, &handler.EnqueueRequestForObject{})))
				w.record.Restart()
				runs := start(t, m.Start)
				pass(2*time.Minute - time.Second)
				require.False(t, runs.over())
				pass(2 * time.Second)
				require.True(t, runs.over())
				require.EqualError(t, runs.Stop(), trouble.error)
				require.Equal(t, []time.Duration{2 * time.Minute}, times(w.record, "other controllers has stopped"))
				require.Equal(t, []string{"ERROR Could not wait for Cache to sync: " + trouble.error},
					w.said("ERROR Could not wait"))
				told := strings.Count(strings.Join(w.log(), "\n"), trouble.log)
				require.Greater(t, told, 5, "%q", w.log())
			})
		})
	}
}

// A source waits for each informer that the cache has when its own is there, and not for its own alone. A runnable
// reads a Secret once, and may not: two minutes later a controller of ConfigMaps, which may list them, ends the
// manager, with an error that names ConfigMaps. A read that comes later ends nothing.
//
// covers: C-30
func TestASourceWaitsForEveryInformer(t *testing.T) {
	for _, read := range []struct {
		name   string
		after  time.Duration // of the manager's start
		before bool          // the controller's informer is filled
	}{{"before its own is filled", 0, true}, {"after that", time.Minute, false}} {
		t.Run(read.name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := newWorld(t)
				refuse, wait := forbidden("secrets"), late("configmaps", 10*time.Second)
				w.wire.instead(func(r *http.Request) (*http.Response, error) {
					if response, err := refuse(r); response != nil || err != nil {
						return response, err
					}
					return wait(r)
				})
				m := w.manager(w.options())
				reads := func(ctx context.Context) error {
					time.Sleep(read.after)
					_ = m.GetClient().Get(ctx, ctrlKey{Namespace: "north", Name: "menu"}, &corev1.Secret{})
					return nil
				}
				require.NoError(t, m.Add(manager.RunnableFunc(reads)))
				c, err := controller.New("mirror", m, w.asks("mirror", reconciles(reconcile.Result{}, nil)))
				require.NoError(t, err)
				require.NoError(t, c.Watch(source.Kind(m.GetCache(), configMap("", ""),
					&handler.TypedEnqueueRequestForObject[*configMapType]{})))
				w.record.Restart()
				runs := start(t, m.Start)
				pass(10 * time.Minute)
				filled := times(w.record, "*v1.ConfigMap gets a handler")
				require.Len(t, filled, 1)
				require.InDelta(t, 10, filled[0].Seconds(), 0.2)
				require.Equal(t, read.before, runs.over())
				err = runs.Stop()
				if read.before {
					require.EqualError(t, err, "failed to wait for mirror caches to sync kind source: *v1.ConfigMap: "+
						"timed out waiting for cache to be synced for kind source: *v1.ConfigMap")
				} else {
					require.NoError(t, err)
				}
			})
		})
	}
}

// Whoever asks for an informer before the manager starts, with an index for example, makes it part of what the manager
// waits for. That has no limit: no controller starts, no error comes, and nobody is told that the manager waits.
//
// covers: C-30
func TestAManagerWaitsForEverForAnEarlyInformer(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.wire.instead(forbidden("secrets"))
		m := w.manager(w.options())
		require.NoError(t, m.GetFieldIndexer().IndexField(t.Context(), &corev1.Secret{}, "type",
			func(o ctrlObject) []string { return []string{string(o.(*corev1.Secret).Type)} }))
		require.NoError(t, m.Add(opened.Runnable{Record: w.record, Name: "controllers"}))
		w.record.Restart()
		runs := start(t, m.Start)
		pass(6 * time.Hour)
		require.False(t, runs.over())
		require.Empty(t, times(w.record, "controllers starts"))
		require.Empty(t, w.said("ERROR Could not wait"))
		w.wire.instead(nil)
		pass(time.Hour)
		require.Len(t, times(w.record, "controllers starts"), 1)
	})
}

// While a manager waits for its cache it does not end when it is told to.
//
// covers: C-30
func TestAManagerThatWaitsForItsCacheDoesNotEnd(t *testing.T) {
	w := newWorld(t) // in no bubble: it does not wait in the way that a bubble could see
	release, asked := make(chan struct{}), make(chan struct{}, 10)
	w.wire.instead(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/secrets") {
			asked <- struct{}{}
			<-release
		}
		return nil, nil
	})
	m := w.manager(w.options())
	_, err := m.GetCache().GetInformer(t.Context(), &corev1.Secret{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	<-asked
	cancel()
	select {
	case err := <-ended:
		t.Fatalf("it has ended: %v", err)
	case <-time.After(time.Second):
	}
	close(release)
	require.NoError(t, <-ended)
}

// A run that reads what the cache does not have yet waits for that cache, and it waits as long as its context lasts,
// which is as long as the manager does. The controller's worker is gone, and nothing is said of it.
//
// covers: S0-32 B-95
func TestAReadOfAForbiddenKindWaits(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.wire.instead(forbidden("secrets"))
		m := w.manager(w.options())
		options := w.asks("mirror", reconcile.Func(func(ctx context.Context, r reconcile.Request) (reconcile.Result,
			error) {
			return reconcile.Result{}, m.GetClient().Get(ctx, r.NamespacedName, &corev1.Secret{})
		}))
		c, err := controller.New("mirror", m, options)
		require.NoError(t, err)
		require.NoError(t, c.Watch(adds(nil, menu, request("north", "wine"))))
		w.record.Restart()
		runs := start(t, m.Start)
		pass(6 * time.Hour)
		require.Equal(t, []string{"mirror runs north/menu"}, w.record.Lines(opened.Reconcilers))
		require.NoError(t, runs.Stop())
		require.Contains(t, w.said("ERROR Reconciler"),
			"ERROR Reconciler error: Timeout: failed waiting for *v1.Secret Informer to sync")
	})
}

// A cache that is not started can't be read, and says so. The read has made an informer nevertheless, which the
// manager then waits for.
//
// covers: B-95
func TestAReadBeforeTheStart(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := w.manager(w.options())
		err := m.GetClient().Get(t.Context(), ctrlKey{Namespace: "north", Name: "menu"}, configMap("", ""))
		require.EqualError(t, err, "the cache is not started, can not read objects")
		var notStarted *cache.ErrCacheNotStarted
		require.True(t, errors.As(err, &notStarted))
		require.Equal(t, []string{"*v1.ConfigMap is made"}, w.record.Lines(opened.Informers))
		require.NoError(t, m.GetAPIReader().List(t.Context(), &corev1.ConfigMapList{}), "this one needs no cache")
		start(t, m.Start)
		pass(time.Second)
		require.Contains(t, w.record.Lines(opened.Requests), "GET configmaps, a watch")

		err = m.GetClient().Get(t.Context(), ctrlKey{Namespace: "north", Name: "menu"}, &corev1.Pod{})
		require.True(t, meta.IsNoMatchError(err))
		require.EqualError(t, err, `no matches for kind "Pod" in version "v1"`)
	})
}

// A source whose Start does not return has no other limit than the cache has.
//
// covers: C-30
func TestASourceThatBlocks(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		options := w.asks("mirror", reconciles(reconcile.Result{}, nil))
		options.CacheSyncTimeout = time.Minute
		c, err := controller.NewUnmanaged("mirror", options)
		require.NoError(t, err)
		require.NoError(t, c.Watch(source.Func(func(ctx context.Context, _ opened.Queue) error {
			<-ctx.Done()
			return nil
		})))
		begin := time.Now()
		runs := start(t, c.Start)
		<-runs.Ended
		require.Equal(t, time.Minute, time.Since(begin))
		require.ErrorContains(t, runs.Stop(), "timed out waiting for source func source: 0x")
		require.ErrorContains(t, runs.Stop(), "to Start. Please ensure that its Start() method is non-blocking")
	})
}
