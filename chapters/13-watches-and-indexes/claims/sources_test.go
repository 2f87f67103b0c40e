package claims

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// How long something takes that nothing announces, and how often is looked.
const (
	within = time.Minute
	tick   = 10 * time.Millisecond
)

// owned makes a Process an object's own: a controller's, or that of one owner of several.
func owned(by *v1alpha1.ProcessSet, controller bool) func(*v1alpha1.Process) {
	return func(p *v1alpha1.Process) {
		p.OwnerReferences = append(p.OwnerReferences, metav1.OwnerReference{APIVersion: v1alpha1.GroupVersion.String(),
			Kind: "ProcessSet", Name: by.Name, UID: by.UID, Controller: ptr.To(controller)})
	}
}

func (s *site) set(name string) *v1alpha1.ProcessSet {
	s.t.Helper()
	set := &v1alpha1.ProcessSet{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: name}}
	set.Spec.Selector = map[string]string{"app": name}
	set.Spec.Template.Labels, set.Spec.Template.Spec.Command = set.Spec.Selector, "sleep"
	require.NoError(s.t, s.user.Create(s.t.Context(), set))
	return set
}

// For brings an object's own key, Owns that of the owner who is its controller, unless every owner is asked for,
// Watches whatever a function makes of it, and a raw source whatever it likes.
//
// covers: S0-54
func TestForOwnsWatches(t *testing.T) {
	s := newSite(t, nil)
	s.manager.GetCache()
	all, every := newRuns(), newRuns()
	events := make(chan event.GenericEvent)
	byLabel := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		if o.GetLabels()["run"] != s.Namespace {
			return nil
		}
		key := client.ObjectKey{Namespace: o.GetNamespace(), Name: "of-" + o.GetName()}
		return []reconcile.Request{{NamespacedName: key}}
	})
	inHere := predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetNamespace() == s.Namespace })
	require.NoError(t, builder.ControllerManagedBy(s.manager).Named("all").WithEventFilter(inHere).
		For(&v1alpha1.ProcessSet{}).Owns(&v1alpha1.Process{}).Watches(&corev1.ConfigMap{}, byLabel).
		WatchesRawSource(source.Channel(events, &handler.EnqueueRequestForObject{})).Complete(all))
	require.NoError(t, builder.ControllerManagedBy(s.manager).Named("every").WithEventFilter(inHere).
		For(&v1alpha1.ProcessSet{}).Owns(&v1alpha1.Process{}, builder.MatchEveryOwner).Complete(every))
	s.start()
	first, second := s.set("first"), s.set("second")
	all.await(t, "first", 1)
	all.await(t, "second", 1)
	every.await(t, "second", 1)
	s.process("both", func(p *v1alpha1.Process) {
		owned(first, true)(p)
		owned(second, false)(p)
	})
	all.await(t, "first", 2)
	every.await(t, "first", 2)
	every.await(t, "second", 2)
	s.configMap("menu", map[string]string{"run": s.Namespace})
	all.await(t, "of-menu", 1)
	events <- event.GenericEvent{Object: &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "raw"}}}
	all.await(t, "raw", 1)
	require.Equal(t, 1, all.of("second"), "it is an owner, and not the controller")
	require.Zero(t, all.of("both"))
}

// A predicate lets a change pass by what differs: anything, the generation, a label, an annotation. Each lets creations
// and deletions pass.
//
// covers: S0-55
func TestWhatPredicatesLetPass(t *testing.T) {
	before := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "1", Generation: 1}}
	for name, c := range map[string]struct {
		predicate predicate.Predicate
		passes    [5]bool // the same again, another version, a generation, a label, an annotation
	}{
		"version":    {predicate.ResourceVersionChangedPredicate{}, [5]bool{false, true, true, true, true}},
		"generation": {predicate.GenerationChangedPredicate{}, [5]bool{false, false, true, false, false}},
		"label":      {predicate.LabelChangedPredicate{}, [5]bool{false, false, false, true, false}},
		"annotation": {predicate.AnnotationChangedPredicate{}, [5]bool{false, false, false, false, true}},
	} {
		for i, change := range []func(*corev1.ConfigMap){
			func(*corev1.ConfigMap) {},
			func(m *corev1.ConfigMap) { m.ResourceVersion = "2" },
			func(m *corev1.ConfigMap) { m.ResourceVersion, m.Generation = "2", 2 },
			func(m *corev1.ConfigMap) { m.ResourceVersion, m.Labels = "2", map[string]string{"a": "x"} },
			func(m *corev1.ConfigMap) { m.ResourceVersion, m.Annotations = "2", map[string]string{"a": "x"} },
		} {
			after := before.DeepCopy()
			change(after)
			require.Equal(t, c.passes[i], c.predicate.Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after}),
				"%s, change %d", name, i)
		}
		require.True(t, c.predicate.Create(event.CreateEvent{Object: before}), name)
		require.True(t, c.predicate.Delete(event.DeleteEvent{Object: before}), name)
	}
}

// source.Channel is a function, and its controller gets it by WatchesRawSource: what is published as a struct that is
// given to Watches does not compile. The handler's name has an s in it.
//
// covers: B-78
func TestTheOldFormOfAChannelSource(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		says string
	}{
		"a struct":       {`var _ = source.Channel{Source: nil}`, "is not a type"},
		"a map function": {`var _ = handler.EnqueueRequestFromMapFunc`, "undefined: handler.EnqueueRequestFromMapFunc"},
		"as it is": {`var _ = source.Channel[client.Object](nil, handler.EnqueueRequestsFromMapFunc(
			func(context.Context, client.Object) []reconcile.Request { return nil }))`, ""},
	} {
		out := compiled(t, c.body)
		if c.says == "" {
			require.Empty(t, out, name)
			continue
		}
		require.Contains(t, out, c.says, name)
	}
}

// A send on an unbuffered channel of source.Channel waits until the controller runs: on a standby for ever. Then 1024
// fit between the channel and its handler.
//
// covers: B-79
func TestAChannelSourceBlocksItsSender(t *testing.T) {
	s := newSite(t, nil)
	all := newRuns()
	events := make(chan event.GenericEvent)
	require.NoError(t, builder.ControllerManagedBy(s.manager).Named("raw").
		WatchesRawSource(source.Channel(events, &handler.EnqueueRequestForObject{})).Complete(all))
	send := func(limit time.Duration) bool {
		select {
		case events <- event.GenericEvent{Object: &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "x"}}}:
			return true
		case <-time.After(limit):
			return false
		}
	}
	require.False(t, send(100*time.Millisecond), "nobody receives")
	s.start()
	require.True(t, send(within))
	all.await(t, "x", 1)
}

// A handler that waits fills the buffer, and then the sender waits again.
//
// covers: B-79
func TestAFullBufferBlocksTheSender(t *testing.T) {
	s := newSite(t, nil)
	events, goOn := make(chan event.GenericEvent), make(chan struct{})
	waits := handler.Funcs{GenericFunc: func(context.Context, event.GenericEvent, routing.Queue) { <-goOn }}
	require.NoError(t, builder.ControllerManagedBy(s.manager).Named("full").
		WatchesRawSource(source.Channel(events, waits)).Complete(newRuns()))
	s.start()
	defer close(goOn)
	for i := range 1024 + 2 { // one is with the handler, and one with who fills the buffer
		select {
		case events <- event.GenericEvent{Object: &corev1.ConfigMap{}}:
		case <-time.After(within):
			t.Fatalf("send %d waits", i)
		}
	}
	select {
	case events <- event.GenericEvent{Object: &corev1.ConfigMap{}}:
		t.Fatal("there was room for one more")
	case <-time.After(100 * time.Millisecond):
	}
}

// Two channel sources that are made of one Go channel take the events from each other: each event comes to one of the
// controllers, and which one is a matter of luck.
//
// covers: B-79
func TestTwoChannelSourcesShareNothing(t *testing.T) {
	s := newSite(t, nil)
	events := make(chan event.GenericEvent)
	both := []*runs{newRuns(), newRuns()}
	for i, all := range both {
		require.NoError(t, builder.ControllerManagedBy(s.manager).Named(fmt.Sprint("one of two ", i)).
			WatchesRawSource(source.Channel(events, &handler.EnqueueRequestForObject{})).Complete(all))
	}
	s.start()
	for i := range 50 {
		name := fmt.Sprint("event-", i)
		select {
		case events <- event.GenericEvent{Object: &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}}:
		case <-time.After(within):
			t.Fatalf("send %d waits", i)
		}
		select {
		case <-both[0].changed:
		case <-both[1].changed:
		case <-time.After(within):
			t.Fatalf("nobody has heard of %s", name)
		}
		require.Equal(t, 1, both[0].of(name)+both[1].of(name), name)
	}
}

// A controller with EnableWarmup starts its sources before the election, a channel source among them: a send to a
// standby does not wait, and the key waits in the queue until the standby leads. Without EnableWarmup the send waits
// until then.
//
// covers: B-79
func TestAStandbyThatWarmsUpReceives(t *testing.T) {
	elected := cluster.New(t)
	leases := "/apis/coordination.k8s.io/v1/namespaces/" + elected.Namespace + "/leases"
	now := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00")
	elected.Must(http.MethodPost, leases, map[string]any{"metadata": map[string]any{"name": "taken"},
		"spec": map[string]any{"holderIdentity": "somebody", "leaseDurationSeconds": 3600, "renewTime": now,
			"acquireTime": now}}, nil)
	s := newSite(t, func(o *manager.Options) {
		o.LeaderElection, o.LeaderElectionID, o.LeaderElectionNamespace = true, "taken", elected.Namespace
		o.RetryPeriod = ptr.To(100 * time.Millisecond)
	})
	var to [2]chan event.GenericEvent
	var all [2]*runs
	for i, warm := range []bool{true, false} {
		to[i], all[i] = make(chan event.GenericEvent), newRuns()
		require.NoError(t, builder.ControllerManagedBy(s.manager).Named(fmt.Sprint("warm ", warm)).
			WithOptions(controller.Options{EnableWarmup: ptr.To(warm)}).
			WatchesRawSource(source.Channel(to[i], &handler.EnqueueRequestForObject{})).Complete(all[i]))
	}
	s.start()
	sent := event.GenericEvent{Object: &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "x"}}}
	to[0] <- sent
	select {
	case to[1] <- sent:
		t.Fatal("a controller that does not warm up has received")
	case <-time.After(100 * time.Millisecond):
	}
	require.Zero(t, all[0].of("x"), "it does not lead")
	select {
	case <-s.manager.Elected():
		t.Fatal("it leads")
	default:
	}

	elected.Must(http.MethodDelete, leases+"/taken", nil, nil)
	all[0].await(t, "x", 1)
	to[1] <- sent
	all[1].await(t, "x", 1)
}

// compiled is what the compiler says of a declaration.
func compiled(t *testing.T, declaration string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tried.go")
	text := `package tried

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

var (
	_ context.Context
	_ client.Object
	_ handler.EventHandler
	_ reconcile.Request
	_ source.Source
)

` + declaration + "\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	out, _ := exec.CommandContext(t.Context(), "go", "build", file).CombinedOutput() // in this module
	return string(out)
}

// Which kinds have a generation, the API server decides for each: a spec is not enough. That of a Process counts
// changes of its spec and the beginning of its deletion, and not its status.
//
// covers: S0-55
func TestWhoHasAGeneration(t *testing.T) {
	s := newSite(t, nil)
	meta := metav1.ObjectMeta{Namespace: s.Namespace, Name: "counted"}
	for _, c := range []struct {
		o    client.Object
		want int64
	}{
		{&corev1.ConfigMap{ObjectMeta: meta}, 0}, {&corev1.Secret{ObjectMeta: meta}, 0},
		{&corev1.ServiceAccount{ObjectMeta: meta}, 0},
		{&corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}}}, 0},
		{&v1alpha1.Process{ObjectMeta: meta, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}, 1},
	} {
		require.NoError(t, s.user.Create(t.Context(), c.o))
		require.Equal(t, c.want, c.o.GetGeneration(), "%T", c.o)
	}
	p := s.process("ends", func(p *v1alpha1.Process) { p.Finalizers = []string{"scratch.example.com/test"} })
	p.Status.Phase = v1alpha1.PhaseRunning
	require.NoError(t, s.user.Status().Update(t.Context(), p))
	require.Equal(t, int64(1), p.Generation)
	require.NoError(t, s.user.Delete(t.Context(), p))
	require.NoError(t, s.user.Get(t.Context(), client.ObjectKeyFromObject(p), p))
	require.Equal(t, int64(2), p.Generation, "that it is to go")
	p.Finalizers = nil
	require.NoError(t, s.user.Update(t.Context(), p))
}
