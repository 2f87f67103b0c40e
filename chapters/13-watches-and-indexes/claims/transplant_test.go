package claims

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	held "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
)

// watched is what a controller of ProcessSets stands on, upstream's or ours.
type watched struct {
	object, owner, mapped handler.EventHandler
	passes                predicate.Predicate
}

// A manager runs two controllers, one on upstream's handlers, predicates and index, and one on ours. Somebody writes at
// random, on the API server. Both are told the same, in the same order, and make the same keys of it.
func TestAControllerRunsOnOurs(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { runsOnOurs(t, rand.New(rand.NewPCG(seed, 13))) })
	}
}

func runsOnOurs(t *testing.T, random *rand.Rand) {
	var sets toolscache.SharedIndexInformer
	s := newSite(t, func(o *manager.Options) {
		o.Cache.NewInformer = func(from toolscache.ListerWatcher, example runtime.Object, resync time.Duration,
			indexers toolscache.Indexers) toolscache.SharedIndexInformer {
			informer := toolscache.NewSharedIndexInformer(from, example, resync, indexers)
			if _, ok := example.(*v1alpha1.ProcessSet); ok {
				sets = informer
			}
			return informer
		}
	})
	m := s.manager
	require.NoError(t, m.GetFieldIndexer().IndexField(t.Context(), &v1alpha1.ProcessSet{}, "uses", scenario.Used))
	_, err := m.GetCache().GetInformer(t.Context(), &v1alpha1.ProcessSet{}, cache.BlockUntilSynced(false))
	require.NoError(t, err)
	index := routing.NewIndexed(sets, v1alpha1.GroupVersion.WithKind("ProcessSet"))
	require.NoError(t, index.IndexField(t.Context(), &v1alpha1.ProcessSet{}, "uses", scenario.Used))
	owner, err := routing.Owner(m.GetScheme(), m.GetRESTMapper(), &v1alpha1.ProcessSet{}, routing.OnlyController())
	require.NoError(t, err)
	log := scenario.NewLog(nil)
	for name, w := range map[string]watched{
		"upstream's": {&handler.EnqueueRequestForObject{}, handler.EnqueueRequestForOwner(m.GetScheme(),
			m.GetRESTMapper(), &v1alpha1.ProcessSet{}, handler.OnlyControllerOwner()),
			handler.EnqueueRequestsFromMapFunc(scenario.UsersOf(m.GetClient())),
			predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{})},
		"ours": {routing.Object(), owner, routing.Mapped(scenario.UsersOf(index)),
			routing.Or(routing.GenerationChanged(), routing.LabelChanged())},
	} {
		require.NoError(t, builder.ControllerManagedBy(m).Named(name).
			Watches(&v1alpha1.ProcessSet{}, log.Handler(name+" For", w.object), builder.WithPredicates(w.passes)).
			Watches(&v1alpha1.Process{}, log.Handler(name+" Owns", w.owner)).
			Watches(&corev1.ConfigMap{}, log.Handler(name+" Watches", w.mapped)).
			Complete(reconcile.Func(nothing)))
	}
	s.start()
	s.marks(log, "first") // what is there before a handler joins comes in no order
	for range 80 {
		s.something(random, log)
	}
	s.marks(log, "last")
	for _, by := range []string{"For", "Owns", "Watches"} {
		theirs, ours := told(log, "upstream's "+by, s.Namespace), told(log, "ours "+by, s.Namespace)
		require.Greater(t, len(theirs), 5, by)
		require.Equal(t, theirs, ours, by)
	}
}

// nothing is a run that finds all right.
func nothing(context.Context, reconcile.Request) (r reconcile.Result, err error) { return r, nil }

// marks makes an object of each kind, and waits until all handlers were told of it.
func (s *site) marks(log *scenario.Log, name string) {
	s.t.Helper()
	for by, o := range map[string]client.Object{"For": scenario.ProcessSet(s.Namespace, name),
		"Owns": scenario.Process(s.Namespace, name), "Watches": scenario.ConfigMap(s.Namespace, name, "soup")} {
		require.NoError(s.t, s.user.Create(s.t.Context(), o))
		for _, whose := range []string{"upstream's ", "ours "} {
			_, err := log.Await(s.t.Context(), whose+by, scenario.Since(o, false))
			require.NoError(s.t, err)
		}
	}
}

// told is what a handler was told of the objects that were written at random, and the keys that came of it.
func told(log *scenario.Log, by, namespace string) (all []string) {
	for _, h := range log.All(by) {
		if h.Object.GetNamespace() == namespace && len(h.Name()) == 1 {
			all = append(all, fmt.Sprint(h.Type, " ", h.Name(), " ", h.Object.GetResourceVersion(), " ", h.Keys))
		}
	}
	return all
}

// something does a write at random, and waits until the cache has it and both controllers were told: what a map
// function answers depends on what is there when it is asked.
func (s *site) something(random *rand.Rand, log *scenario.Log) {
	s.t.Helper()
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	name, uses := pick("a", "b", "c"), pick("", "a", "b", "a,b", "b,c", "a,b,c")
	var o client.Object
	by := pick("For", "Owns", "Watches")
	switch by {
	case "For":
		o = scenario.ProcessSet(s.Namespace, name, uses)
	case "Owns":
		o = scenario.Process(s.Namespace, name)
	case "Watches":
		o = scenario.ConfigMap(s.Namespace, name, "soup")
	}
	there := s.user.Get(s.t.Context(), client.ObjectKeyFromObject(o), o) == nil
	gone := there && by != "For" && random.IntN(4) == 0 // a set's end is the end of its Processes: a controller's work
	switch {
	case gone:
		require.NoError(s.t, s.user.Delete(s.t.Context(), o))
	case there:
		o.SetAnnotations(map[string]string{scenario.Uses: uses})
		o.SetLabels(map[string]string{"color": pick("red", "black")})
		s.ownedAtRandom(o, random)
		require.NoError(s.t, s.user.Update(s.t.Context(), o))
	default:
		s.ownedAtRandom(o, random)
		require.NoError(s.t, s.user.Create(s.t.Context(), o))
	}
	version := o.GetResourceVersion()
	require.NoError(s.t, held.Until(s.t.Context(), func() bool {
		cached := o.DeepCopyObject().(client.Object)
		err := s.manager.GetClient().Get(s.t.Context(), client.ObjectKeyFromObject(o), cached)
		return gone && apierrors.IsNotFound(err) || !gone && err == nil && cached.GetResourceVersion() == version
	}))
	if by == "For" { // its predicate does not let all pass, and its handler asks nobody
		return
	}
	for _, whose := range []string{"upstream's ", "ours "} {
		require.NoError(s.t, held.Until(s.t.Context(), func() bool {
			return log.Has(whose+by, func(h scenario.Heard) bool {
				so := gone && h.Type == "Delete" || h.Object.GetResourceVersion() == version
				return so && h.Object.GetUID() == o.GetUID()
			})
		}))
	}
}

// ownedAtRandom gives a Process owners: each that is there, or not, and one of them is its controller, or none.
func (s *site) ownedAtRandom(o client.Object, random *rand.Rand) {
	s.t.Helper()
	if _, ok := o.(*v1alpha1.Process); !ok {
		return
	}
	o.SetOwnerReferences(nil)
	for _, name := range []string{"a", "b", "c"} {
		var set v1alpha1.ProcessSet
		if s.user.Get(s.t.Context(), client.ObjectKey{Namespace: s.Namespace, Name: name}, &set) != nil {
			continue
		}
		switch random.IntN(3) {
		case 0:
			require.NoError(s.t, controllerutil.SetOwnerReference(&set, o, scenario.Known()))
		case 1:
			_ = controllerutil.SetControllerReference(&set, o, scenario.Known()) // there may be one already
		}
	}
}
