package claims

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	scenes "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
)

// world is where the scene is played: a kind of sets, the kind of their children, and a controller that runs already.
type world interface {
	// set is one named web, of so many children that have the labels of matching.
	set(replicas int) client.Object
	// sets is an empty list of them.
	sets() client.ObjectList
	// child is one that belongs to nobody.
	child(name string, labels map[string]string) client.Object
	// children is an empty list of such.
	children() client.ObjectList
}

// play is the scene in a world, and what was seen of it.
type play struct {
	*site
	in       world
	set      client.Object
	children map[string]client.Object
	// adopted are those that belonged to nobody, and then to a set.
	adopted map[string]bool
	changes watch.Interface
}

// state is what there is at the end of a step: how many children belong to the set, are free and match it, and are free
// and do not.
type state struct{ owned, free, strange int }

// now is the state. Children that are being deleted are none any more.
func (p *play) now() (all state) {
	for _, c := range p.children {
		switch controller := metav1.GetControllerOf(c); {
		case c.GetDeletionTimestamp() != nil:
		case controller != nil && controller.UID == p.set.GetUID():
			all.owned++
		case c.GetLabels()["app"] == matching()["app"]:
			all.free++
		default:
			all.strange++
		}
	}
	return all
}

// await reads what becomes of the children, one change after the other, until it is so.
func (p *play) await(step string, is func() bool) {
	p.t.Helper()
	for !is() {
		e, open := <-p.changes.ResultChan()
		require.True(p.t, open, "the test ends before %s leads to what is wanted: %+v", step, p.now())
		o, ok := e.Object.(client.Object)
		require.True(p.t, ok, "%v", e.Object)
		before := p.children[o.GetName()]
		if before != nil && metav1.GetControllerOf(before) == nil && metav1.GetControllerOf(o) != nil {
			p.adopted[o.GetName()] = true
		}
		p.children[o.GetName()] = o
		if e.Type == watch.Deleted {
			delete(p.children, o.GetName())
		}
	}
}

// one is a child that belongs to the set.
func (p *play) one() client.Object {
	for _, c := range p.children {
		if controller := metav1.GetControllerOf(c); controller != nil && c.GetDeletionTimestamp() == nil {
			return c
		}
	}
	require.FailNow(p.t, "the set has no child")
	return nil
}

// merge changes an object as somebody does who does not read it before.
func (p *play) merge(o client.Object, body string) {
	p.t.Helper()
	o = o.DeepCopyObject().(client.Object) // which the answer is written into
	require.NoError(p.t, p.user.Patch(p.t.Context(), o, client.RawPatch(types.MergePatchType, []byte(body))))
}

// newSet makes the set.
func (p *play) newSet(replicas int) {
	p.set = p.in.set(replicas)
	made(p.site, p.set)
}

// scene is what is done, and what the controller makes of it. The state may be the same as before: then happened says
// that the step has come to pass.
var scene = []struct {
	step string
	do   func(*play) (happened func() bool)
	then state
}{
	{"three are wanted", func(p *play) func() bool {
		p.newSet(3)
		return nil
	}, state{owned: 3}},
	{"one is deleted, and replaced", func(p *play) func() bool {
		gone := p.one()
		require.NoError(p.t, p.user.Delete(p.t.Context(), gone))
		return func() bool {
			now := p.children[gone.GetName()] // a set may use names again
			return now == nil || now.GetUID() != gone.GetUID()
		}
	}, state{owned: 3}},
	{"one is wanted", func(p *play) func() bool {
		p.merge(p.set, `{"spec":{"replicas":1}}`)
		return nil
	}, state{owned: 1}},
	{"one that matches belongs to nobody: it is adopted, and one is too many", func(p *play) func() bool {
		made(p.site, p.in.child("orphan", matching()))
		return func() bool { return p.adopted["orphan"] }
	}, state{owned: 1}},
	{"the labels of one change: it is released, and replaced", func(p *play) func() bool {
		p.merge(p.one(), `{"metadata":{"labels":{"app":"other"}}}`)
		return nil
	}, state{owned: 1, strange: 1}},
	{"the set is deleted, its children are not", func(p *play) func() bool {
		// The garbage collector may hear of the set's end before it hears of the newest child, which it would not set
		// free then. When it has deleted a child that was made after that, it knows it.
		absent := p.configMap("absent")
		absent.UID = nobody()
		fence := p.in.child("fence", nil)
		fence.SetOwnerReferences([]metav1.OwnerReference{belongsTo(absent)})
		awaitGone(p.site, made(p.site, fence), p.in.children())
		orphans := client.PropagationPolicy(metav1.DeletePropagationOrphan)
		require.NoError(p.t, p.user.Delete(p.t.Context(), p.set, orphans))
		return nil
	}, state{free: 1, strange: 1}},
	{"the set is made anew, and adopts the one that matches", func(p *play) func() bool {
		var orphan string
		for name, c := range p.children {
			if c.GetLabels()["app"] == matching()["app"] {
				orphan = name
			}
		}
		awaitGone(p.site, p.set, p.in.sets()) // or the name is taken
		p.newSet(1)
		return func() bool { return p.adopted[orphan] }
	}, state{owned: 1, strange: 1}},
}

// playScene plays the scene in a world, and requires of each step what is to come of it.
func playScene(s *site, w world) {
	s.t.Helper()
	p := &play{site: s, in: w, children: map[string]client.Object{}, adopted: map[string]bool{}}
	var err error
	p.changes, err = s.user.Watch(s.t.Context(), w.children(), client.InNamespace(s.Namespace))
	require.NoError(s.t, err)
	defer drain(p.changes)
	for _, c := range scene {
		happened := c.do(p)
		p.await(c.step, func() bool { return p.now() == c.then && (happened == nil || happened()) })
	}
}

// replicaSets is kube-controller-manager's world. Its Pods fit no node, so that none runs, and each is gone as soon as
// it is deleted.
type replicaSets struct{ *site }

func (w replicaSets) set(replicas int) client.Object {
	n := int32(replicas)
	return &appsv1.ReplicaSet{ObjectMeta: w.named("web"), Spec: appsv1.ReplicaSetSpec{Replicas: &n,
		Selector: &metav1.LabelSelector{MatchLabels: matching()}, Template: nowhere()}}
}

func (w replicaSets) sets() client.ObjectList { return &appsv1.ReplicaSetList{} }

func (w replicaSets) child(name string, labels map[string]string) client.Object {
	p := &corev1.Pod{ObjectMeta: w.named(name), Spec: nowhere().Spec}
	p.Labels = labels
	return p
}

func (w replicaSets) children() client.ObjectList { return &corev1.PodList{} }

// processSets is the chapter's world: its controller under a manager.
type processSets struct{ *site }

func (w processSets) set(replicas int) client.Object {
	set := w.site.set("web")
	set.Spec.Replicas = ptr.To(int32(replicas))
	return set
}

func (w processSets) sets() client.ObjectList { return &v1alpha1.ProcessSetList{} }

func (w processSets) child(name string, labels map[string]string) client.Object {
	p := w.site.child(name)
	p.Labels = labels
	return p
}

func (w processSets) children() client.ObjectList { return &v1alpha1.ProcessList{} }

// A set has as many children as are wanted: it replaces, takes the surplus away, adopts what matches and belongs to
// nobody, and releases what no longer matches. This is kube-controller-manager's controller; the chapter's plays the
// same scene, below.
//
// covers: S2-11 S0-59
func TestAReplicaSetAndItsPods(t *testing.T) {
	controllers(t)
	s := newSite(t)
	playScene(s, replicaSets{s})
}

// The same of the chapter's controller, which is the code that the lesson shows.
//
// covers: S2-11 S0-59
func TestAProcessSetAndItsProcesses(t *testing.T) {
	controllers(t)
	s := newSite(t)
	s.awaitCollector()
	c, err := s.world().Start(t.Context(), scenes.Options{Way: ours(), Namespace: s.Namespace})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	playScene(s, processSets{s})
}

// replicaSetBut is the one ReplicaSet in the namespace that has not this UID, as soon as there is one.
func (s *site) replicaSetBut(uid types.UID) (found *appsv1.ReplicaSet) {
	s.t.Helper()
	changes, err := s.user.Watch(s.t.Context(), &appsv1.ReplicaSetList{}, client.InNamespace(s.Namespace))
	require.NoError(s.t, err)
	defer drain(changes)
	for e := range changes.ResultChan() {
		set, ok := e.Object.(*appsv1.ReplicaSet)
		require.True(s.t, ok, fmt.Sprint(e.Object))
		if e.Type != watch.Deleted && set.UID != uid {
			return set
		}
	}
	require.FailNow(s.t, "the test ends before there is one")
	return nil
}
