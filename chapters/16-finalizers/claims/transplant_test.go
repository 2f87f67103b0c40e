package claims

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/finalizer"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
)

// library is a reconciler of sets with controller-runtime's Finalizers.
type library struct {
	client.Client
	finalizers finalizer.Finalizers
}

// Reconcile implements reconcile.Reconciler.
func (l library) Reconcile(ctx context.Context, request reconcile.Request) (r reconcile.Result, err error) {
	var set v1alpha1.ProcessSet
	if err := l.Get(ctx, request.NamespacedName, &set); err != nil {
		return r, client.IgnoreNotFound(err)
	}
	result, err := l.finalizers.Finalize(ctx, &set)
	if result.StatusUpdated {
		after := set.DeepCopy()
		err = errors.Join(err, l.Status().Update(ctx, after))
		set.ResourceVersion = after.ResourceVersion
	}
	if result.Updated {
		err = errors.Join(err, client.IgnoreNotFound(l.Update(ctx, &set)))
	}
	return r, err
}

// The clean-up in steps is a Finalizer of controller-runtime's: its Finalizers run it, on the API server, as the guard
// does. Either way the Processes of a set go one after the other, and the set goes last.
//
// covers: S0-61
func TestTheStepsRunUnderControllerRuntime(t *testing.T) {
	for name, with := range map[string]func(*testing.T, manager.Manager, finalizer.Finalizer) reconcile.Reconciler{
		"the guard": func(_ *testing.T, m manager.Manager, _ finalizer.Finalizer) reconcile.Reconciler {
			return deletion.Set(m.GetClient(), m.GetAPIReader(), reconcile.Func(nothing), deletion.Pieces{})
		},
		"its Finalizers": func(t *testing.T, m manager.Manager, steps finalizer.Finalizer) reconcile.Reconciler {
			t.Helper()
			all := finalizer.NewFinalizers()
			require.NoError(t, all.Register(deletion.SetKey, steps))
			return library{m.GetClient(), all}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			m, err := manager.New(s.access, manager.Options{Scheme: scenario.Known(),
				Metrics:    server.Options{BindAddress: "0"},
				Controller: config.Controller{SkipNameValidation: ptr.To(true)},
				Cache:      cache.Options{DefaultNamespaces: map[string]cache.Config{s.Namespace: {}}}})
			require.NoError(t, err)
			order := &deletion.Order{Live: m.GetAPIReader(), Over: m.GetClient()}
			r := with(t, m, deletion.Steps{{Name: "DeleteProcesses", Do: order.Do}})
			require.NoError(t, builder.ControllerManagedBy(m).Named("sets").For(&v1alpha1.ProcessSet{}).
				Owns(&v1alpha1.Process{}).Complete(r))
			s.runs(m)

			set := &v1alpha1.ProcessSet{ObjectMeta: s.named("web"), Spec: v1alpha1.ProcessSetSpec{
				Selector: map[string]string{"app": "web"}, Template: v1alpha1.ProcessTemplate{
					Labels: map[string]string{"app": "web"}, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}}}
			made(s, set)
			await(s, set, &v1alpha1.ProcessSetList{}, func(now **v1alpha1.ProcessSet) bool {
				return now != nil && len((*now).Finalizers) == 1
			})
			for n := range 3 {
				p := s.process(owned.Name("web", n))
				p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(set, owned.Kind)}
				made(s, p)
			}
			children, sets := s.follow(&v1alpha1.ProcessList{}), s.follow(&v1alpha1.ProcessSetList{})
			require.NoError(t, s.user.Delete(t.Context(), set))
			last := uint64(0)
			for n := 2; n >= 0; n-- {
				e := children.goes(owned.Name("web", n))
				require.Greater(t, e.version, last)
				last = e.version
			}
			require.Greater(t, sets.goes("web").version, last)
		})
	}
}

// runs runs a manager until the end of the test.
func (s *site) runs(m manager.Manager) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	s.t.Cleanup(func() {
		cancel()
		require.NoError(s.t, <-ended)
	})
}
