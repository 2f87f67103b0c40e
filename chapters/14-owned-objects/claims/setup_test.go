package claims

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	scenes "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard()) // or what is refused on purpose is logged
	log.SetLogger(logr.Discard())
	if text := os.Getenv(lifeEnv); text != "" {
		if err := runLife(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	cluster.Main(m)
}

// site is a test's namespace, on a server that has the book's kinds.
type site struct {
	*cluster.Cluster
	t      *testing.T
	access *rest.Config
	user   client.WithWatch // asks the server each time
}

func newSite(t *testing.T) *site {
	t.Helper()
	c := cluster.New(t)
	s := &site{Cluster: c, t: t, access: kube.RESTConfig(t, c.Cluster)}
	s.install()
	var err error
	s.user, err = client.NewWithWatch(s.access, client.Options{HTTPClient: c.HTTPClient(), Scheme: scenario.Known()})
	require.NoError(t, err)
	return s
}

// installed is a promise that the server has the book's kinds.
var installed struct {
	sync.Mutex
	done bool
}

func (s *site) install() {
	s.t.Helper()
	installed.Lock()
	defer installed.Unlock()
	if installed.done {
		return
	}
	installer, err := dynamic.NewForConfigAndClient(s.access, s.HTTPClient())
	require.NoError(s.t, err)
	require.NoError(s.t, install.CRDs(s.t.Context(), installer))
	installed.done = true
}

// controllers has kube-controller-manager run beside the API server, and skips the test where there can be none. The
// tests' own control plane starts without it, and keeps it once it was asked for.
func controllers(t *testing.T) {
	t.Helper()
	testkit.Needs(t, testkit.Controllers)
	cluster.Shared(t) // is what is joined
	c, err := lab.Connect(t.Context(), lab.Options{Controllers: true, Progress: os.Stderr})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
}

// named is the metadata of an object in the test's namespace.
func (s *site) named(name string, owners ...metav1.OwnerReference) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: s.Namespace, Name: name, OwnerReferences: owners}
}

// matching are the labels that each set of these tests selects.
func matching() map[string]string { return map[string]string{"app": "web"} }

// set is a ProcessSet that is not made yet.
func (s *site) set(name string) *v1alpha1.ProcessSet {
	return &v1alpha1.ProcessSet{ObjectMeta: s.named(name), Spec: v1alpha1.ProcessSetSpec{Selector: matching(),
		Template: v1alpha1.ProcessTemplate{Labels: matching(), Spec: v1alpha1.ProcessSpec{Command: "sleep"}}}}
}

// child is a Process that sets select, and that is not made yet.
func (s *site) child(name string, owners ...metav1.OwnerReference) *v1alpha1.Process {
	p := &v1alpha1.Process{ObjectMeta: s.named(name, owners...), Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
	p.Labels = matching()
	return p
}

// configMap is a ConfigMap that is not made yet. The garbage collector knows the kind from its start.
func (s *site) configMap(name string, owners ...metav1.OwnerReference) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: s.named(name, owners...)}
}

// made makes an object, and returns it as the server has it.
func made[T client.Object](s *site, o T) T {
	s.t.Helper()
	require.NoError(s.t, s.user.Create(s.t.Context(), o))
	return o
}

// onServer is an object as the server has it now.
func onServer[T client.Object](s *site, o T) T {
	s.t.Helper()
	read := o.DeepCopyObject().(T)
	require.NoError(s.t, s.user.Get(s.t.Context(), client.ObjectKeyFromObject(o), read))
	return read
}

// controlledBy is the reference to a set that is the controller.
func controlledBy(set *v1alpha1.ProcessSet) metav1.OwnerReference {
	return *metav1.NewControllerRef(set, v1alpha1.GroupVersion.WithKind("ProcessSet"))
}

// ownedBy is the reference to a set that is one owner of several.
func ownedBy(set *v1alpha1.ProcessSet) metav1.OwnerReference {
	r := controlledBy(set)
	r.Controller, r.BlockOwnerDeletion = nil, nil
	return r
}

// belongsTo is the reference to a ConfigMap.
func belongsTo(m *corev1.ConfigMap) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: m.Name, UID: m.UID}
}

// nobody is a UID that no object has, another one each time: the garbage collector remembers by UID who is not there.
func nobody() types.UID { return uuid.NewUUID() }

// patch is a merge patch of an object's metadata.
func (s *site) patch(o client.Object, metadata map[string]any) error {
	s.t.Helper()
	body, err := json.Marshal(map[string]any{"metadata": metadata})
	require.NoError(s.t, err)
	return s.user.Patch(s.t.Context(), o, client.RawPatch(types.MergePatchType, body))
}

// refused requires that the server has said no, with this code, and returns its words.
func refused(t *testing.T, code int32, err error) string {
	t.Helper()
	var status apierrors.APIStatus
	require.ErrorAs(t, err, &status)
	require.Equal(t, code, status.Status().Code, "%v", err)
	return err.Error()
}

// await returns what it was that is met, as soon as an object meets it: it is nil once the object is gone. Each change
// is seen.
func await[T client.Object](s *site, o T, list client.ObjectList, met func(now *T) bool) {
	s.t.Helper()
	where := []client.ListOption{client.InNamespace(o.GetNamespace()),
		client.MatchingFields{"metadata.name": o.GetName()}}
	require.NoError(s.t, s.user.List(s.t.Context(), list, where...))
	now := o.DeepCopyObject().(T)
	err := s.user.Get(s.t.Context(), client.ObjectKeyFromObject(o), now)
	if apierrors.IsNotFound(err) && met(nil) || err == nil && met(&now) {
		return
	}
	from := &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}}
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	changes, err := s.user.Watch(ctx, list, append(where, from)...)
	require.NoError(s.t, err)
	defer drain(changes)
	for e := range changes.ResultChan() {
		var ok bool
		now, ok = e.Object.(T)
		require.True(s.t, ok, "%v", e.Object)
		if e.Type == watch.Deleted && met(nil) || e.Type != watch.Deleted && met(&now) {
			return
		}
	}
	require.FailNow(s.t, "what is awaited does not come", "%s after %v, seen last: %+v", o.GetName(), patience, now)
}

// drain stops a watch, whose sender may be about to send.
func drain(w watch.Interface) {
	w.Stop()
	for range w.ResultChan() {
	}
}

// awaitGone returns when an object is gone.
func awaitGone[T client.Object](s *site, o T, list client.ObjectList) {
	s.t.Helper()
	await(s, o, list, func(now *T) bool { return now == nil })
}

// collected is a promise that the garbage collector knows the book's kinds. It looks for new ones each half minute.
var collected struct {
	sync.Mutex
	known bool
}

// world is the demo's, in the test's namespace.
func (s *site) world() *scenes.World {
	s.t.Helper()
	w, err := scenes.NewWorld(s.t.Context(), &lab.Lab{Cluster: s.Cluster.Cluster})
	require.NoError(s.t, err)
	return w
}

// awaitCollector returns when the garbage collector deletes what has no owner, of both of the book's kinds.
func (s *site) awaitCollector() {
	s.t.Helper()
	collected.Lock()
	defer collected.Unlock()
	if collected.known {
		return
	}
	require.NoError(s.t, s.world().AwaitCollector(s.t.Context()))
	collected.known = true
}
