package mapping_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/exercises/1-map"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// A pod is what an event has. What is not told is east, pod-1, u1, and the resourceVersion 1 of an old or only object
// and 2 of a new one. Neither label nor annotation is there if it is not told. Blank is one that is there and empty, or
// a resourceVersion that was removed.
type pod struct {
	ns, name  string
	app, also string
	phase     corev1.PodPhase
	node      string
	uid       types.UID
	going     int  // the second of its deletionTimestamp, from 1 on
	nano      int  // and so many nanoseconds more
	abroad    bool // the deletionTimestamp is in another time zone
	version   string
	noise     string // what is in it besides, of which no line shows anything: a key of noises
	as        string // what it is if it is no Pod: a key of others
}

const blank = "blank"

// others are what an event may have that is no Pod.
var others = map[string]func(*corev1.Pod) client.Object{
	"nil":                     func(*corev1.Pod) client.Object { return nil },
	"a nil *corev1.Pod":       func(*corev1.Pod) client.Object { return (*corev1.Pod)(nil) },
	"a nil *corev1.ConfigMap": func(*corev1.Pod) client.Object { return (*corev1.ConfigMap)(nil) },
	"a nil *metav1.PartialObjectMetadata": func(*corev1.Pod) client.Object {
		return (*metav1.PartialObjectMetadata)(nil)
	},
	"a ConfigMap":   func(p *corev1.Pod) client.Object { return &corev1.ConfigMap{ObjectMeta: p.ObjectMeta} },
	"a PodTemplate": func(p *corev1.Pod) client.Object { return &corev1.PodTemplate{ObjectMeta: p.ObjectMeta} },
	"an *unstructured.Unstructured of the kind Pod": func(p *corev1.Pod) client.Object {
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(p)
		if err != nil {
			panic(err)
		}
		o := &unstructured.Unstructured{Object: fields}
		o.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
		return o
	},
	"a *metav1.PartialObjectMetadata of the kind Pod": func(p *corev1.Pod) client.Object {
		o := &metav1.PartialObjectMetadata{ObjectMeta: p.ObjectMeta}
		o.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
		return o
	},
}

// noises are what changes in a Pod and in no line.
var noises = map[string]func(*corev1.Pod){
	"a condition": func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	},
	"managedFields":          func(p *corev1.Pod) { p.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "m"}} },
	"another generation":     func(p *corev1.Pod) { p.Generation = 2 },
	"a finalizer":            func(p *corev1.Pod) { p.Finalizers = []string{"example.com/hold"} },
	"an owner":               func(p *corev1.Pod) { p.OwnerReferences = []metav1.OwnerReference{{Name: "o"}} },
	"a grace period":         func(p *corev1.Pod) { p.DeletionGracePeriodSeconds = new(int64(30)) },
	"a creationTimestamp":    func(p *corev1.Pod) { p.CreationTimestamp = metav1.Unix(1e9, 0) },
	"a label app":            func(p *corev1.Pod) { p.Labels["app"] = "shop" },
	"an annotation also-in":  func(p *corev1.Pod) { p.Annotations["also-in"] = "shop" },
	"a label AlsoIn":         func(p *corev1.Pod) { p.Labels[AlsoIn] = "shop" },
	"an annotation App":      func(p *corev1.Pod) { p.Annotations[App] = "shop" },
	"a podIP":                func(p *corev1.Pod) { p.Status.PodIP = "10.0.0.1" },
	"a startTime":            func(p *corev1.Pod) { p.Status.StartTime = new(metav1.Unix(1e9, 0)) },
	"a reason":               func(p *corev1.Pod) { p.Status.Reason, p.Status.Message = "Evicted", "no room" },
	"a hostIP":               func(p *corev1.Pod) { p.Status.HostIP = "10.1.0.1" },
	"a nominatedNodeName":    func(p *corev1.Pod) { p.Status.NominatedNodeName = "n9" },
	"a containerStatus":      func(p *corev1.Pod) { p.Status.ContainerStatuses = make([]corev1.ContainerStatus, 1) },
	"another image":          func(p *corev1.Pod) { p.Spec.Containers = []corev1.Container{{Name: "c", Image: "i:2"}} },
	"a nodeSelector":         func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"disk": "fast"} },
	"activeDeadlineSeconds":  func(p *corev1.Pod) { p.Spec.ActiveDeadlineSeconds = new(int64(5)) },
	"an ephemeral container": func(p *corev1.Pod) { p.Spec.EphemeralContainers = []corev1.EphemeralContainer{{}} },
}

func noiseNames() []string { return slices.Sorted(maps.Keys(noises)) }
func otherNames() []string { return slices.Sorted(maps.Keys(others)) }

// object makes a new one each time, with pointers of its own.
func (p pod) object() client.Object {
	o := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: p.ns, Name: p.name, UID: p.uid,
		ResourceVersion: strings.ReplaceAll(p.version, blank, "")}}
	o.Status.Phase, o.Spec.NodeName = p.phase, p.node
	if p.app != "" {
		o.Labels = map[string]string{App: strings.ReplaceAll(p.app, blank, "")}
	}
	if p.also != "" {
		o.Annotations = map[string]string{AlsoIn: strings.ReplaceAll(p.also, blank, "")}
	}
	if p.going != 0 {
		zone := time.UTC
		if p.abroad {
			zone = time.FixedZone("", 7*60*60)
		}
		o.DeletionTimestamp = &metav1.Time{Time: time.Unix(1e9+int64(p.going), int64(p.nano)).In(zone)}
	}
	if change := noises[p.noise]; change != nil {
		if strings.Contains(p.noise, "label") && o.Labels == nil {
			o.Labels = map[string]string{}
		}
		if strings.Contains(p.noise, "annotation") && o.Annotations == nil {
			o.Annotations = map[string]string{}
		}
		change(o)
	}
	if as := others[p.as]; as != nil {
		return as(o)
	}
	return o
}

func (p pod) String() string {
	if strings.Contains(p.as, "nil") {
		return p.as
	}
	var parts []string
	put := func(there bool, format string, args ...any) {
		if there {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	put(p.as != "", "%s", p.as)
	put(p.ns != "east", "namespace %s", p.ns)
	put(p.app != "", "App %q", strings.ReplaceAll(p.app, blank, ""))
	put(p.also != "", "AlsoIn %q", strings.ReplaceAll(p.also, blank, ""))
	put(p.phase != "", "phase %s", p.phase)
	put(p.node != "", "nodeName %s", p.node)
	put(p.uid != "u1", "UID %s", p.uid)
	put(p.going != 0, "deletionTimestamp in second %d", p.going)
	put(p.nano != 0, "%d nanoseconds later", p.nano)
	put(p.abroad, "in another time zone")
	put(p.noise != "", "%s", p.noise)
	put(p.version != blank, "resourceVersion %s", p.version)
	put(p.version == blank, "no resourceVersion")
	return "{" + strings.Join(parts, ", ") + "}"
}

// A happening is an event. Only an update has an old pod.
type happening struct {
	verb     string
	old, new pod
}

const update = "an update"

var verbs = []string{"a creation", "a creation of the initial list", "a deletion",
	"a deletion with DeleteStateUnknown", "a generic event"}

func happens(verb string, p pod) happening { return happening{verb: verb, new: filled(p, "1")} }

func updates(before, after pod) happening {
	return happening{update, filled(before, "1"), filled(after, "2")}
}

// resyncs has one resourceVersion twice.
func resyncs(before, after pod) happening {
	before.version, after.version = "7", "7"
	return updates(before, after)
}

func filled(p pod, version string) pod {
	for _, part := range []struct {
		field *string
		value string
	}{{&p.ns, "east"}, {&p.name, "pod-1"}, {&p.version, version}, {(*string)(&p.uid), "u1"}} {
		if *part.field == "" {
			*part.field = part.value
		}
	}
	return p
}

func (e happening) String() string {
	if e.verb == update {
		return fmt.Sprintf("%s of %s/%s from %v to %v", e.verb, e.new.ns, e.new.name, e.old, e.new)
	}
	return fmt.Sprintf("%s of %s/%s, %v", e.verb, e.new.ns, e.new.name, e.new)
}

// objects are new ones. Those of a resync in which nothing differs are one and the same.
func (e happening) objects() (before, after client.Object) {
	after = e.new.object()
	switch {
	case e.verb != update:
		return nil, after
	case e.old == e.new:
		return after, after
	}
	return e.old.object(), after
}

// put gives the event to a handler.
func (e happening) put(h handler.EventHandler, before, after client.Object, q Queue) {
	e.putWith(context.Background(), h, before, after, q)
}

func (e happening) putWith(ctx context.Context, h handler.EventHandler, before, after client.Object, q Queue) {
	switch e.verb {
	case update:
		h.Update(ctx, event.UpdateEvent{ObjectOld: before, ObjectNew: after}, q)
	case verbs[0], verbs[1]:
		h.Create(ctx, event.CreateEvent{Object: after, IsInInitialList: e.verb == verbs[1]}, q)
	case verbs[2], verbs[3]:
		h.Delete(ctx, event.DeleteEvent{Object: after, DeleteStateUnknown: e.verb == verbs[3]}, q)
	default:
		h.Generic(ctx, event.GenericEvent{Object: after}, q)
	}
}

// A door is a queue whose first Add does something, while others come.
type door struct {
	notebook
	entered atomic.Bool
	enters  func()
}

func (d *door) Add(request reconcile.Request) {
	d.notebook.Add(request)
	if d.entered.CompareAndSwap(false, true) {
		d.enters()
	}
}

// A notebook is the queue: it writes down what is called. Add takes a nanosecond of virtual time if it is slow.
type notebook struct {
	Queue // nil: whatever is called besides is below
	slow  bool

	mu     sync.Mutex
	added  []string
	others []string
}

func (n *notebook) Add(request reconcile.Request) {
	if n.slow {
		time.Sleep(time.Nanosecond)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.added = append(n.added, request.String())
}

func (n *notebook) other(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.others = append(n.others, name)
}

func (n *notebook) AddRateLimited(reconcile.Request)          { n.other("AddRateLimited") }
func (n *notebook) AddAfter(reconcile.Request, time.Duration) { n.other("AddAfter") }
func (n *notebook) Forget(reconcile.Request)                  { n.other("Forget") }
func (n *notebook) NumRequeues(reconcile.Request) int         { n.other("NumRequeues"); return 0 }
func (n *notebook) Len() int                                  { n.other("Len"); return 0 }
func (n *notebook) Get() (r reconcile.Request, down bool)     { n.other("Get"); return r, true }
func (n *notebook) Done(reconcile.Request)                    { n.other("Done") }
func (n *notebook) ShutDown()                                 { n.other("ShutDown") }
func (n *notebook) ShutDownWithDrain()                        { n.other("ShutDownWithDrain") }
func (n *notebook) ShuttingDown() bool                        { n.other("ShuttingDown"); return false }

// keys are those that were added so far, sorted.
func (n *notebook) keys() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Sorted(slices.Values(n.added))
}

// tell gives an event to a handler and expects what the assignment says of it.
func tell(t *testing.T, h handler.EventHandler, e happening) {
	t.Helper()
	tellBelieving(t, h, e, e.belief)
}

// tellAfter has the handler hear of the creation first, as it does from an informer.
func tellAfter(t *testing.T, h handler.EventHandler, e happening) {
	t.Helper()
	first := e.new
	if e.verb == update {
		first = e.old
	}
	tell(t, h, happens(verbs[0], first))
	tell(t, h, e)
}

// tellBelieving says to what keys that are not the right ones point.
func tellBelieving(t *testing.T, h handler.EventHandler, e happening, belief func(got []string) string) {
	t.Helper()
	exercise.Bubble(t, func(t *testing.T) {
		t.Helper()
		q := &notebook{slow: true}
		before, after := e.objects()
		began, panicked := time.Now(), any(nil)
		func() {
			defer func() { panicked = recover() }()
			e.put(h, before, after, q)
		}()
		took, got := time.Since(began), q.keys()
		time.Sleep(time.Hour) // what is late comes now
		exercise.Expect(t, panicked == nil, exercise.Verdict{
			Expected: e.String() + ": nothing panics", Happened: fmt.Sprintf("a panic: %v", panicked)})
		onlyAdd(t, e, q)
		late := q.keys()
		exercise.Expect(t, len(late) == len(got), exercise.Verdict{
			Expected: e.String() + ": each key has been added when the method returns",
			Happened: "added until then were " + list(got) + ", and later " + list(late)})
		if !slices.Equal(got, e.keys()) {
			exercise.Fail(t, exercise.Verdict{
				Expected: e.String() + ": the keys that are added are " + list(e.keys()),
				Happened: "they were " + list(got), PointsTo: belief(got)})
		}
		exercise.Expect(t, took <= time.Duration(len(got)), exercise.Verdict{
			Expected: e.String() + ": the handler waits for nothing but Add",
			Happened: fmt.Sprintf("it took %v besides", took-time.Duration(len(got)))})
		beforeAgain, afterAgain := e.objects()
		same := reflect.DeepEqual(before, beforeAgain) && reflect.DeepEqual(after, afterAgain)
		exercise.Expect(t, same, exercise.Verdict{Expected: e.String() + ": the objects stay as they are",
			Happened: "one was changed"})
	})
}

// onlyAdd expects that nothing else was called.
func onlyAdd(t *testing.T, e happening, q *notebook) {
	t.Helper()
	q.mu.Lock()
	defer q.mu.Unlock()
	exercise.Expect(t, len(q.others) == 0, exercise.Verdict{
		Expected: e.String() + ": no method of the queue is called but Add",
		Happened: "called were " + list(q.others),
		PointsTo: queueBeliefs[strings.Join(slices.Compact(slices.Clone(q.others)), " ")]})
}

var queueBeliefs = map[string]string{
	"AddRateLimited": "the belief that the limiter is for events, too. It counts failures: each event would make the " +
		"next one of its key wait for longer",
	"AddAfter": "the belief that many events become one run by waiting. The queue has a key once, however often it " +
		"is added before its run begins",
	"Forget": "the belief that a key begins anew with an event. What it has failed at may still fail, and the " +
		"limiter would no longer know of it",
}

func list(keys []string) string {
	if len(keys) == 0 {
		return "none"
	}
	return strings.Join(keys, ", ")
}

// names are the applications in which a pod counts.
func (p pod) names() map[string]bool {
	all := map[string]bool{}
	if p.as != "" {
		return all
	}
	for _, name := range strings.Split(strings.ReplaceAll(p.also, blank, ""), ",") {
		all[strings.TrimSpace(name)] = true
	}
	all[strings.ReplaceAll(p.app, blank, "")] = true
	delete(all, "")
	return all
}

// line is what a summary shows of it.
func (p pod) line() pod {
	return pod{ns: p.ns, name: p.name, uid: p.uid, phase: p.phase, node: p.node, going: p.going, nano: p.nano}
}

// keys are those that the event leads to, by the assignment.
func (e happening) keys() []string {
	if e.verb != update {
		return written(e.new.ns, e.new.names())
	}
	was, is := e.old.names(), e.new.names()
	leads := union(was, is)
	maps.DeleteFunc(leads, func(name string, _ bool) bool {
		return was[name] && is[name] && e.sameLine()
	})
	return written(e.new.ns, leads)
}

func union(a, b map[string]bool) map[string]bool {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func written(ns string, names map[string]bool) []string {
	var keys []string
	for name := range names {
		keys = append(keys, ns+"/"+name)
	}
	slices.Sort(keys)
	return keys
}

// sameLine reports whether it is an update in which the line of a Pod stays, and no resync.
func (e happening) sameLine() bool {
	return e.old.line() == e.new.line() && e.old.version != e.new.version
}

// text is how a pod names its applications.
func (p pod) text() [2]string { return [2]string{p.app, p.also} }

// allIf are the keys of all applications, if it is an update that changes nothing that anybody shows, and nothing
// else but how the applications are written. Otherwise, or if it is not as the caller says, they are the right ones.
func (e happening) allIf(so bool) []string {
	quiet := e.verb == update && e.sameLine() && e.old.noise == e.new.noise && e.old.abroad == e.new.abroad &&
		maps.Equal(e.old.names(), e.new.names())
	if !quiet || !so {
		return e.keys()
	}
	return written(e.new.ns, e.new.names())
}

// A rival is the assignment as somebody understands it who has a belief.
type rival struct {
	belief string
	keys   func(e happening) []string
}

var rivals = []rival{
	{"the belief that the key is that of the object that has changed. A controller's keys are those of what it " +
		"keeps, and a run is given nothing but its key", func(e happening) []string {
		return []string{e.new.ns + "/" + e.new.name}
	}},
	{"the belief that a name is enough for a key. Each namespace has an application of that name",
		func(e happening) []string {
			return changed(e.keys(), func(k string) string { return strings.TrimPrefix(k, e.new.ns) })
		}},
	{"the belief that an object leads to one key. It leads to that of everything which shows it",
		func(e happening) []string {
			e.old.also, e.new.also = "", ""
			return e.keys()
		}},
	{"the belief that an update is about what the object is now. What it was still stands in a summary that nobody " +
		"writes anew", func(e happening) []string {
		is := e.new.names()
		return slices.DeleteFunc(e.keys(), func(k string) bool { return !is[strings.TrimPrefix(k, e.new.ns+"/")] })
	}},
	{"the belief that any update is news. Most of them change what nobody shows, and each would be a run",
		func(e happening) []string { return e.allIf(e.old.going == 0 && e.old.text() == e.new.text()) }},
	{"the belief that two pointers are equal if what they point to is. Each object is decoded by itself",
		func(e happening) []string { return e.allIf(e.old.going != 0 && e.old.text() == e.new.text()) }},
	{"the belief that what is written otherwise is something else. What counts is which summaries have the line",
		func(e happening) []string { return e.allIf(e.old.text() != e.new.text()) }},
	{"the belief that a Pod that moves changes every summary it is in. Where it stays, its line is what it was",
		func(e happening) []string {
			if e.verb == update && !maps.Equal(e.old.names(), e.new.names()) {
				return written(e.new.ns, union(e.old.names(), e.new.names()))
			}
			return e.keys()
		}},
	{"the belief that nothing has happened when nothing has changed. A resync is there to have everything looked at " +
		"again", func(e happening) []string {
		if e.old.version == e.new.version && e.old.version != blank {
			e.new.version += "0"
		}
		return e.keys()
	}},
	{"the belief that two empty resourceVersions tell of a change. They say nothing, and what nobody knows is looked at",
		func(e happening) []string {
			if e.old.version == blank && e.new.version == blank {
				e.new.version = "0"
			}
			return e.keys()
		}},
	{"the belief that there is nothing to do for what is gone. Its line is still in the summaries",
		func(e happening) []string {
			if e.verb == verbs[2] {
				return nil
			}
			return e.keys()
		}},
	{"the belief that what is there at the start has been dealt with. Nobody knows what happened before",
		func(e happening) []string {
			if e.verb == verbs[1] {
				return nil
			}
			return e.keys()
		}},
	{"", func(e happening) []string { // no belief: who compares the lines, and not in which summaries they are
		if e.verb == update && e.sameLine() {
			return nil
		}
		return e.keys()
	}},
	{"the belief that the queue makes up for a key that is added twice. A worker may take the first one before the " +
		"second one comes", func(e happening) []string { return twice(e) }},
}

func changed(keys []string, change func(string) string) []string {
	out := make([]string, 0, len(keys))
	for _, k := range keys {
		out = append(out, change(k))
	}
	slices.Sort(out)
	return out
}

// twice are the keys of both objects of an update, or of both places in which a pod names applications.
func twice(e happening) []string {
	leads, both := e.keys(), []string(nil)
	for _, p := range []pod{e.old, e.new} {
		names := []string{p.app}
		for name := range strings.SplitSeq(p.also, ",") {
			names = append(names, strings.TrimSpace(name))
		}
		for _, name := range names {
			if key := e.new.ns + "/" + name; slices.Contains(leads, key) {
				both = append(both, key)
			}
		}
	}
	slices.Sort(both)
	return both
}

// belief is the one that leads to the keys that were added, if there is exactly one.
func (e happening) belief(got []string) string {
	var those []string
	for _, r := range rivals {
		if slices.Equal(got, r.keys(e)) {
			those = append(those, r.belief)
		}
	}
	if len(those) != 1 {
		return ""
	}
	return those[0]
}
