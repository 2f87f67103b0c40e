package claims

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// built is a builder over a manager, whose controller is recorded as "mirror".
func (w *world) built() (*builder.Builder, ctrl.Manager) {
	m := w.manager(w.options())
	options := w.asks("mirror", nil)
	options.Reconciler = nil // which is said when the controller is built
	return ctrl.NewControllerManagedBy(m).Named("mirror").WithOptions(options), m
}

// keys are what the reconciler was run for, each once.
func (w *world) keys() (all []string) {
	for _, e := range w.record.Events(opened.Reconcilers) {
		if e.What == "runs" {
			all = append(all, e.Item)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// For runs for the object that an event is about, Owns for its controller, and Watches for whatever a function says. A
// filter is asked before all of these, and not before a raw source.
//
// covers: S3-15
func TestWhatABuilderBuilds(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		b, m := w.built()
		bell := make(chan event.GenericEvent, 1)
		bell <- event.GenericEvent{Object: configMap("raw", "hidden")}
		err := b.For(configMap("", "")).Owns(&corev1.Secret{}).
			Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(func(_ context.Context,
				o ctrlObject) []reconcile.Request {
				return []reconcile.Request{request(o.GetName(), "one"), request(o.GetName(), "two")}
			})).
			WithEventFilter(predicate.NewPredicateFuncs(func(o ctrlObject) bool { return o.GetName() != "hidden" })).
			WatchesRawSource(source.Channel(bell, &handler.EnqueueRequestForObject{})).
			Complete(w.record.Reconciler("mirror", reconciles(reconcile.Result{}, nil)))
		require.NoError(t, err)
		start(t, m.Start)
		pass(time.Second)
		require.Equal(t, []string{"raw/hidden"}, w.keys(), "which no filter was asked for")

		w.record.Restart()
		owner := configMap("north", "menu")
		owner.UID = "1"
		owned := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "north", Name: "key"}}
		require.NoError(t, controllerutil.SetControllerReference(owner, owned, m.GetScheme()))
		beside := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "north", Name: "beside"}}
		other := configMap("north", "not the controller")
		other.UID = "2"
		require.NoError(t, controllerutil.SetOwnerReference(other, beside, m.GetScheme()))
		for _, o := range []ctrlObject{owned, beside, configMap("south", "hidden"), configMap("south", "wine"),
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "east"}}} {
			require.NoError(t, m.GetClient().Create(t.Context(), o))
		}
		pass(time.Second)
		require.Equal(t, []string{"east/one", "east/two", "north/menu", "south/wine"}, w.keys())
	})
}

// A builder says what was forgotten, when it is completed and not later.
//
// covers: S3-15
func TestWhatABuilderRefuses(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		nothing := reconciles(reconcile.Result{}, nil)
		for problem, build := range map[string]func(b *builder.Builder) error{
			"there are no watches configured, controller will never get triggered. Use For(), Owns(), Watches() or " +
				"WatchesRawSource() to set them up": func(b *builder.Builder) error { return b.Complete(nothing) },
			"For(...) should only be called once, could not assign multiple objects for reconciliation": func(
				b *builder.Builder) error {
				return b.For(configMap("", "")).For(&corev1.Secret{}).Complete(nothing)
			},
			"Owns() can only be used together with For()": func(b *builder.Builder) error {
				return b.Owns(configMap("", "")).Complete(nothing)
			},
			"must provide a non-nil Reconciler": func(b *builder.Builder) error {
				return b.For(configMap("", "")).Complete(nil)
			},
		} {
			b, _ := w.built()
			require.EqualError(t, build(b), problem)
		}
	})
}

// Two controllers of one name would report the same metrics, so the second is refused: in one process, for its life,
// whatever manager they are of. A builder names a controller after its kind, so that two of one kind need a name.
//
// covers: C-31
func TestNamesOfControllersAreUnique(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		nothing := controller.Options{Reconciler: reconciles(reconcile.Result{}, nil)}
		try := func(name string, skip *bool) error {
			options := nothing
			options.SkipNameValidation = skip
			_, err := controller.NewUnmanaged(name, options)
			return err
		}
		name := "taken at " + t.Name() + time.Now().String() + unique()
		require.NoError(t, try(name, nil))
		require.EqualError(t, try(name, nil), "controller with name "+name+" already exists. Controller names must be "+
			"unique to avoid multiple controllers reporting the same metric. This validation can be disabled via the "+
			"SkipNameValidation option")
		require.NoError(t, try(name, ptr.To(true)))

		options := w.options()
		options.Controller.SkipNameValidation = nil
		for i := range 2 {
			m := w.manager(options) // another manager
			err := ctrl.NewControllerManagedBy(m).For(&corev1.Secret{}).Complete(nothing.Reconciler)
			if i == 1 {
				require.ErrorContains(t, err, "controller with name secret already exists")
			} else if err != nil { // by an earlier run of this test
				require.True(t, strings.Contains(err.Error(), "controller with name secret already exists"), "%v", err)
			}
		}
	})
}

// A reconciler can be given the object in the place of its name. What is not there, is not passed on.
//
// covers: C-27
func TestAReconcilerOfObjects(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		m := w.begun(nil)
		var got []string
		r := reconcile.AsReconciler[*configMapType](m.GetClient(), objects(func(o *configMapType) {
			got = append(got, o.Name)
		}))
		for _, name := range []string{"menu", "gone"} {
			_, err := r.Reconcile(t.Context(), request("north", name))
			require.NoError(t, err)
		}
		require.Equal(t, []string{"menu"}, got)
	})
}

// objects is a reconcile.ObjectReconciler.
type objects func(*configMapType)

func (f objects) Reconcile(_ context.Context, o *configMapType) (reconcile.Result, error) {
	f(o)
	return reconcile.Result{}, nil
}

// An informer that somebody has can be a source by itself.
//
// covers: C-50
func TestAnInformerAsASource(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := w.manager(w.options())
		informer, err := m.GetCache().GetInformer(t.Context(), configMap("", ""))
		require.NoError(t, err)
		c, err := controller.New("mirror", m, w.asks("mirror", reconciles(reconcile.Result{}, nil)))
		require.NoError(t, err)
		require.NoError(t, c.Watch(&source.TypedInformer[*configMapType, reconcile.Request]{Informer: informer,
			Handler: &handler.TypedEnqueueRequestForObject[*configMapType]{}}))
		w.create("north", "menu")
		start(t, m.Start)
		pass(time.Second)
		require.Equal(t, []string{"north/menu"}, w.keys())
	})
}
