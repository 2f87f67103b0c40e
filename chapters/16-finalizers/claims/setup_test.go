package claims

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

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
	shims "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	scenes "github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

func TestMain(m *testing.M) {
	shims.RunIfShim()
	scenes.RunIfController(scenes.Pieces{})
	klog.SetLogger(logr.Discard()) // or what is refused on purpose is logged
	log.SetLogger(logr.Discard())
	cluster.Main(m)
}

// The finalizers of these tests: one's own, and one of somebody else.
const (
	ours   = "scratch.example.com/machine.one"
	theirs = "north.example.com/holds"
)

// site is a test's namespace on a server.
type site struct {
	*cluster.Cluster
	t      *testing.T
	access *rest.Config
	user   client.WithWatch // asks the server each time
}

// newSite is a site on the server of all tests, which has the book's kinds.
func newSite(t *testing.T) *site {
	t.Helper()
	s := siteOn(t, cluster.New(t))
	s.install()
	return s
}

// siteOn is a site on a server that has Kubernetes' own kinds.
func siteOn(t *testing.T, c *cluster.Cluster) *site {
	t.Helper()
	s := &site{Cluster: c, t: t, access: kube.RESTConfig(t, c.Cluster)}
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
	require.NoError(s.t, install.CRDs(s.t.Context(), s.dynamic()))
	installed.done = true
}

// dynamic is a client for kinds without a Go type.
func (s *site) dynamic() dynamic.Interface {
	s.t.Helper()
	d, err := dynamic.NewForConfigAndClient(s.access, s.HTTPClient())
	require.NoError(s.t, err)
	return d
}

// controllers has kube-controller-manager run beside the API server, and skips the test where there can be none. The
// tests' own control plane starts without it, and keeps it once it was asked for.
func controllers(t *testing.T) {
	t.Helper()
	testkit.Needs(t, testkit.Controllers)
	cluster.Shared(t) // is what is joined
	join(t)
}

// join connects to the server that tests share, and has the controllers run there.
func join(t *testing.T) {
	t.Helper()
	c, err := lab.Connect(t.Context(), lab.Options{Controllers: true, Progress: os.Stderr})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
}

// named is the metadata of an object in the test's namespace.
func (s *site) named(name string, finalizers ...string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: s.Namespace, Name: name, Finalizers: finalizers}
}

// process is a Process that is not made yet.
func (s *site) process(name string, finalizers ...string) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: s.named(name, finalizers...), Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
}

// configMap is a ConfigMap that is not made yet. The garbage collector knows the kind from its start.
func (s *site) configMap(name string, finalizers ...string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: s.named(name, finalizers...)}
}

// made makes an object, and returns it as the server has it. The end of the test takes its finalizers out, so that its
// namespace can go.
func made[T client.Object](s *site, o T) T {
	s.t.Helper()
	require.NoError(s.t, s.user.Create(s.t.Context(), o))
	s.frees(o)
	return o
}

// frees has the end of the test take all finalizers out of an object, and delete it.
func (s *site) frees(o client.Object) {
	o = o.DeepCopyObject().(client.Object)
	s.t.Cleanup(func() {
		none := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
		for _, err := range []error{s.user.Patch(context.Background(), o, none),
			s.user.Delete(context.Background(), o, client.PropagationPolicy(metav1.DeletePropagationBackground))} {
			if client.IgnoreNotFound(err) != nil {
				s.t.Errorf("cleaning up %s: %v", o.GetName(), err)
			}
		}
	})
}

// onServer is an object as the server has it now.
func onServer[T client.Object](s *site, o T) T {
	s.t.Helper()
	read := o.DeepCopyObject().(T)
	require.NoError(s.t, s.user.Get(s.t.Context(), client.ObjectKeyFromObject(o), read))
	return read
}

// deleted deletes an object that stays for its finalizers, and returns it as it is now.
func deleted[T client.Object](s *site, o T, options ...client.DeleteOption) T {
	s.t.Helper()
	require.NoError(s.t, s.user.Delete(s.t.Context(), o, options...))
	now := onServer(s, o)
	require.NotNil(s.t, now.GetDeletionTimestamp(), o.GetName())
	return now
}

// gone requires that the server has no such object.
func (s *site) gone(o client.Object) {
	s.t.Helper()
	err := s.user.Get(s.t.Context(), client.ObjectKeyFromObject(o), o.DeepCopyObject().(client.Object))
	require.True(s.t, apierrors.IsNotFound(err), "%s: %v", o.GetName(), err)
}

// propagation is how a deletion treats what the object owns.
func propagation(policy metav1.DeletionPropagation) client.DeleteOption {
	return client.PropagationPolicy(policy)
}

// nobody is a UID that no object has, another one each time: the garbage collector remembers by UID who is not there.
func nobody() types.UID { return uuid.NewUUID() }

// patch is a merge patch of an object's metadata.
func (s *site) patch(o client.Object, metadata map[string]any) error {
	s.t.Helper()
	return s.send(o, types.MergePatchType, map[string]any{"metadata": metadata})
}

// send is a patch of an object, which is not changed by it.
func (s *site) send(o client.Object, kind types.PatchType, patch any) error {
	s.t.Helper()
	body, err := json.Marshal(patch)
	require.NoError(s.t, err)
	return s.user.Patch(s.t.Context(), o.DeepCopyObject().(client.Object), client.RawPatch(kind, body))
}

// operation is one of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// only is a list of finalizers in a merge patch.
func only(finalizers ...string) map[string]any { return map[string]any{"finalizers": finalizers} }

// refused requires that the server has said no, with this code, and returns its words.
func refused(t *testing.T, code int32, err error) string {
	t.Helper()
	var status apierrors.APIStatus
	require.ErrorAs(t, err, &status)
	require.Equal(t, code, status.Status().Code, "%v", err)
	return err.Error()
}

// await returns when an object meets what is asked: it is nil once the object is gone. Each change is seen.
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

// awaitGone returns when an object is gone.
func awaitGone[T client.Object](s *site, o T, list client.ObjectList) {
	s.t.Helper()
	await(s, o, list, func(now *T) bool { return now == nil })
}

// drain stops a watch, whose sender may be about to send.
func drain(w watch.Interface) {
	w.Stop()
	for range w.ResultChan() {
	}
}

// story is what is seen of a collection, event by event.
type story struct {
	*site
	changes watch.Interface
	events  []event
}

// event is one change of an object.
type event struct {
	what       watch.EventType
	name       string
	deleting   bool
	finalizers []string
	owners     int
	version    uint64
	object     client.Object
}

// follow tells of all that happens to a kind's objects in the namespace from now on.
func (s *site) follow(all client.ObjectList) *story {
	s.t.Helper()
	here := client.InNamespace(s.Namespace)
	require.NoError(s.t, s.user.List(s.t.Context(), all, here))
	return s.followFrom(all, all.GetResourceVersion())
}

// followFrom tells of all that has happened since a version.
func (s *site) followFrom(all client.ObjectList, version string) *story {
	s.t.Helper()
	from := &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: version}}
	changes, err := s.user.Watch(s.t.Context(), all, client.InNamespace(s.Namespace), from)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { drain(changes) })
	return &story{site: s, changes: changes}
}

// until reads on up to an event that is so, and returns it.
func (y *story) until(so func(event) bool) event {
	y.t.Helper()
	for late := time.After(patience); ; {
		var e watch.Event
		var open bool
		select {
		case e, open = <-y.changes.ResultChan():
			require.True(y.t, open, "the watch has ended; seen: %+v", y.events)
		case <-late:
			require.FailNow(y.t, "what is awaited does not come", "after %v, seen: %+v", patience, y.events)
		}
		o, ok := e.Object.(client.Object)
		require.True(y.t, ok, "%v", e.Object)
		version, err := strconv.ParseUint(o.GetResourceVersion(), 10, 64)
		require.NoError(y.t, err)
		now := event{what: e.Type, name: o.GetName(), deleting: o.GetDeletionTimestamp() != nil,
			finalizers: o.GetFinalizers(), owners: len(o.GetOwnerReferences()), version: version, object: o}
		y.events = append(y.events, now)
		if so(now) {
			return now
		}
	}
}

// goes reads on until an object is gone, and returns that event.
func (y *story) goes(name string) event {
	y.t.Helper()
	return y.until(func(e event) bool { return e.what == watch.Deleted && e.name == name })
}

// goesAll reads on until all of these are gone, in any order.
func (y *story) goesAll(names ...string) {
	y.t.Helper()
	for _, name := range names {
		if !y.told(watch.Deleted, name) {
			y.goes(name)
		}
	}
}

// marked reads on until an object is being deleted, and returns that event.
func (y *story) marked(name string) event {
	y.t.Helper()
	return y.until(func(e event) bool { return e.what == watch.Modified && e.name == name && e.deleting })
}

// told says whether such an event was there.
func (y *story) told(what watch.EventType, name string) bool {
	for _, e := range y.events {
		if e.what == what && e.name == name {
			return true
		}
	}
	return false
}

// at is the version of the first such event.
func (y *story) at(what watch.EventType, name string) uint64 {
	y.t.Helper()
	for _, e := range y.events {
		if e.what == what && e.name == name {
			return e.version
		}
	}
	require.FailNow(y.t, "no such event", "%s %s in %+v", what, name, y.events)
	return 0
}
