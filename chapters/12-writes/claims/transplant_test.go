package claims

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// Upstream's client sends our patches: what differs, in the patch's own media type. A stale lock is 409 in a merge
// patch, and 422 in a JSON patch, whose test is an operation like another.
func TestAClientSendsOurPatches(t *testing.T) {
	y := newYard(t)
	for name, c := range map[string]struct {
		make  func(client.Object) (client.Patch, error)
		stale func(error) bool
	}{
		"merge": {func(o client.Object) (client.Patch, error) { return writes.MergeFrom(o, writes.Locked) },
			apierrors.IsConflict},
		"json": {func(o client.Object) (client.Patch, error) { return writes.JSONPatchFrom(o, writes.Locked, true) },
			apierrors.IsInvalid},
		"unlocked": {func(o client.Object) (client.Patch, error) { return writes.MergeFrom(o, writes.Unlocked) },
			func(err error) bool { return err == nil }},
	} {
		p := y.read(t, name)
		patch, err := c.make(p)
		require.NoError(t, err)
		p.Spec.GracePeriodSeconds = ptr.To[int32](grace)
		require.NoError(t, y.user.Patch(t.Context(), p.DeepCopy(), patch), name)
		require.Equal(t, int32(grace), *y.now(t, p).Spec.GracePeriodSeconds, name)
		require.NoError(t, scenario.Labelled(t.Context(), y.user, y.now(t, p)))
		err = y.user.Patch(t.Context(), p.DeepCopy(), patch)
		require.True(t, c.stale(err), "%s: %v", name, err)
	}
}

// Upstream's manager runs a controller that is a Base, while somebody else writes to its objects. What both write is
// there at the end.
func TestAManagerRunsABase(t *testing.T) {
	y := newYard(t)
	m, err := manager.New(kube.RESTConfig(t, y.Cluster.Cluster), manager.Options{
		Scheme: scenario.Known(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		Cache:      cache.Options{DefaultNamespaces: map[string]cache.Config{y.Namespace: {}}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(m.GetHTTPClient().Transport) })
	machine := &scenario.Machine{}
	var base reconcile.Reconciler = writes.New(m.GetClient(), machine.Run)
	require.NoError(t, builder.ControllerManagedBy(m).Named("base").For(&v1alpha1.Process{}).Complete(base))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-ended) })

	const objects = 10
	done := make(chan struct{})
	go y.watchUntil(t, objects, done)
	var users sync.WaitGroup
	for i := range objects {
		users.Go(func() {
			p, err := scenario.Made(t.Context(), y.user, y.Namespace, fmt.Sprintf("p-%d", i))
			for n := 0; err == nil && n < 5; n++ {
				key := client.ObjectKeyFromObject(p)
				patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"by":"user-%d"}}}`, n)
				err = y.user.Patch(t.Context(), scenario.Named(key.Namespace, key.Name),
					client.RawPatch("application/merge-patch+json", patch))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	users.Wait()
	<-done
}

// watchUntil closes done when all objects have what the controller and what the user writes.
func (y *yard) watchUntil(t *testing.T, objects int, done chan<- struct{}) {
	defer close(done)
	w, err := y.user.Watch(t.Context(), &v1alpha1.ProcessList{}, client.InNamespace(y.Namespace))
	if err != nil {
		t.Error(err)
		return
	}
	defer w.Stop()
	right := map[string]bool{}
	for event := range w.ResultChan() {
		p, ok := event.Object.(*v1alpha1.Process)
		if !ok {
			continue
		}
		right[p.Name] = p.Status.PID != nil && p.Labels[scenario.Node] == "here" && p.Annotations["by"] == "user-4"
		n := 0
		for _, is := range right {
			if is {
				n++
			}
		}
		if n == objects {
			return
		}
	}
	t.Error("the watch has ended before all was right")
}
