package owned_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// web is a set of so many.
func web(replicas int32) *v1alpha1.ProcessSet {
	labels := map[string]string{"app": "web"}
	return &v1alpha1.ProcessSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "uid of web", Generation: 7},
		Spec: v1alpha1.ProcessSetSpec{Replicas: &replicas, Selector: labels,
			Template: v1alpha1.ProcessTemplate{Labels: labels, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}}}
}

// child is a Process of web, and what was done to it.
func child(name string, changes ...func(*v1alpha1.Process)) *v1alpha1.Process {
	p := owned.Child(web(1), name)
	p.UID = types.UID("uid of " + name)
	for _, change := range changes {
		change(p)
	}
	return p
}

func orphan(p *v1alpha1.Process)    { p.OwnerReferences = nil }
func unmatched(p *v1alpha1.Process) { p.Labels = map[string]string{"app": "other"} }
func slow(p *v1alpha1.Process)      { going(p) }
func runs(p *v1alpha1.Process)      { p.Status.Phase = v1alpha1.PhaseRunning }

// strangers has another set of the same name control a Process.
func strangers(p *v1alpha1.Process) {
	other := web(1)
	other.UID = "uid of another"
	p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(other, owned.Kind)}
}

// shared adds an owner that does not control.
func shared(p *v1alpha1.Process) {
	p.OwnerReferences = append(p.OwnerReferences,
		metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "settings", UID: "uid of settings"})
}

// going begins the deletion of something, which a finalizer holds up.
func going(o client.Object) {
	o.SetFinalizers([]string{"scratch.example.com/slow"})
	o.SetDeletionTimestamp(&metav1.Time{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
}

// site is an API server with the requests that are of interest, and a cache that hides some Processes.
type site struct {
	client.WithWatch // past all that is noted
	over             client.Client
	live             client.Reader

	log     []string          // writes of Processes, and what was read live
	patches map[string]string // the last one by name
	saves   int               // of sets
	hidden  map[string]bool
	refuses map[string]error // by request, as in the log
}

func newSite(t testing.TB, objects ...client.Object) *site {
	t.Helper()
	known := runtime.NewScheme()
	require.NoError(t, v1alpha1.AddToScheme(known))
	s := &site{patches: map[string]string{}, hidden: map[string]bool{}, refuses: map[string]error{}}
	s.WithWatch = fake.NewClientBuilder().WithScheme(known).
		WithStatusSubresource(&v1alpha1.Process{}, &v1alpha1.ProcessSet{}).WithObjects(objects...).Build()
	s.over = interceptor.NewClient(s.WithWatch, interceptor.Funcs{Create: s.create, Delete: s.delete, Patch: s.patch,
		SubResourcePatch: s.status, List: s.cached})
	s.live = interceptor.NewClient(s.WithWatch, interceptor.Funcs{
		Get: func(ctx context.Context, over client.WithWatch, at client.ObjectKey, o client.Object,
			_ ...client.GetOption) error {
			return s.send(fmt.Sprintf("get %T %s", o, at.Name), func() error { return over.Get(ctx, at, o) })
		},
		List: func(ctx context.Context, over client.WithWatch, o client.ObjectList,
			options ...client.ListOption) error {
			return s.send("list", func() error { return over.List(ctx, o, options...) })
		}})
	return s
}

// send notes a request, and passes it on unless it is to be refused.
func (s *site) send(request string, pass func() error) error {
	s.log = append(s.log, request)
	if err := s.refuses[request]; err != nil {
		return err
	}
	return pass()
}

func (s *site) create(ctx context.Context, over client.WithWatch, o client.Object, _ ...client.CreateOption) error {
	return s.send("create "+o.GetName()+o.GetGenerateName(), func() error { return over.Create(ctx, o) })
}

func (s *site) delete(ctx context.Context, over client.WithWatch, o client.Object,
	options ...client.DeleteOption) error {
	var all client.DeleteOptions
	all.ApplyOptions(options)
	request := "delete " + o.GetName()
	if p := all.Preconditions; p != nil && p.UID != nil {
		request += ", " + string(*p.UID)
	}
	return s.send(request, func() error { return over.Delete(ctx, o) })
}

func (s *site) patch(ctx context.Context, over client.WithWatch, o client.Object, p client.Patch,
	_ ...client.PatchOption) error {
	if _, ok := o.(*v1alpha1.ProcessSet); ok {
		s.saves++
		return over.Patch(ctx, o, p)
	}
	body, err := p.Data(o)
	if err != nil {
		return err
	}
	s.patches[o.GetName()] = string(body)
	return s.send("patch "+o.GetName(), func() error { return over.Patch(ctx, o, p) })
}

func (s *site) status(ctx context.Context, over client.Client, _ string, o client.Object, p client.Patch,
	_ ...client.SubResourcePatchOption) error {
	s.saves++
	return over.Status().Patch(ctx, o, p)
}

func (s *site) cached(ctx context.Context, over client.WithWatch, o client.ObjectList,
	options ...client.ListOption) error {
	if err := over.List(ctx, o, options...); err != nil {
		return err
	}
	all, ok := o.(*v1alpha1.ProcessList)
	if !ok {
		return nil
	}
	var shown []v1alpha1.Process
	for i := range all.Items {
		if !s.hidden[all.Items[i].Name] {
			shown = append(shown, all.Items[i])
		}
	}
	all.Items = shown
	return nil
}

// requests are those since it was called last.
func (s *site) requests() []string {
	log := s.log
	s.log = nil
	return log
}

// run is one of a controller, for web.
func (s *site) run(t testing.TB, r *owned.Reconciler) (reconcile.Result, error) {
	return r.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKeyFromObject(web(1))})
}

// set is web as it is now.
func (s *site) set(t testing.TB) *v1alpha1.ProcessSet {
	t.Helper()
	now := &v1alpha1.ProcessSet{}
	require.NoError(t, s.Get(t.Context(), client.ObjectKeyFromObject(web(1)), now))
	return now
}

// names are those of all Processes that there are.
func (s *site) names(t testing.TB) (names []string) {
	t.Helper()
	var all v1alpha1.ProcessList
	require.NoError(t, s.List(t.Context(), &all))
	for i := range all.Items {
		names = append(names, all.Items[i].Name)
	}
	return names
}
