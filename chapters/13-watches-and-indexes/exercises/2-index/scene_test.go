package index_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/exercises/2-index"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func init() {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] // the second one sleeps for years of virtual time
	klog.SetLogger(logr.Discard())
	log.SetLogger(logr.Discard())
}

// A deployment is what is made of it. What is not told is east and shop. No two have the same name, UID and
// resourceVersion, unless a test says so.
type deployment struct {
	ns, name string
	uses     []use
	state    string // a key of states
	as       string // what it is if it is no Deployment: a key of others
}

// A use is a place and a name in it. The place is one of places, which count, or of decoys, which do not.
type use struct{ place, name string }

// A place puts a name into a Pod template.
type place struct {
	name string
	put  func(pod *corev1.PodTemplateSpec, name string)
}

func reference(name string) corev1.LocalObjectReference {
	return corev1.LocalObjectReference{Name: name}
}

// volume makes a place of a source of a volume.
func volume(of func(name string) corev1.VolumeSource) func(*corev1.PodTemplateSpec, string) {
	return func(pod *corev1.PodTemplateSpec, name string) {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{
			Name: "volume-" + strconv.Itoa(len(pod.Spec.Volumes)), VolumeSource: of(name)})
	}
}

// projected makes one of a source of a projected volume. A volume has up to three.
func projected(of func(name string) corev1.VolumeProjection) func(*corev1.PodTemplateSpec, string) {
	return func(pod *corev1.PodTemplateSpec, name string) {
		n := len(pod.Spec.Volumes)
		if n == 0 || pod.Spec.Volumes[n-1].Projected == nil || len(pod.Spec.Volumes[n-1].Projected.Sources) == 3 {
			volume(func(string) corev1.VolumeSource {
				return corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{}}
			})(pod, "")
			n++
		}
		into := pod.Spec.Volumes[n-1].Projected
		into.Sources = append(into.Sources, of(name))
	}
}

// last is a container to put something into. One has up to three of a kind.
func last(all *[]corev1.Container) *corev1.Container {
	n := len(*all)
	if n == 0 || len((*all)[n-1].Env) == 3 || len((*all)[n-1].EnvFrom) == 3 {
		*all = append(*all, corev1.Container{Name: "container-" + strconv.Itoa(n), Image: "shop:1"})
		n++
	}
	return &(*all)[n-1]
}

func env(initial bool, of func(name string) corev1.EnvVar) func(*corev1.PodTemplateSpec, string) {
	return func(pod *corev1.PodTemplateSpec, name string) {
		all := &pod.Spec.Containers
		if initial {
			all = &pod.Spec.InitContainers
		}
		c := last(all)
		one := of(name)
		one.Name = "V" + strconv.Itoa(len(c.Env))
		c.Env = append(c.Env, one)
	}
}

func envFrom(initial bool, of func(name string) corev1.EnvFromSource) func(*corev1.PodTemplateSpec, string) {
	return func(pod *corev1.PodTemplateSpec, name string) {
		all := &pod.Spec.Containers
		if initial {
			all = &pod.Spec.InitContainers
		}
		c := last(all)
		c.EnvFrom = append(c.EnvFrom, of(name))
	}
}

func secretVolume(optional *bool) func(*corev1.PodTemplateSpec, string) {
	return volume(func(name string) corev1.VolumeSource {
		return corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: name, Optional: optional}}
	})
}

func secretSource(optional *bool) func(*corev1.PodTemplateSpec, string) {
	return projected(func(name string) corev1.VolumeProjection {
		return corev1.VolumeProjection{Secret: &corev1.SecretProjection{
			LocalObjectReference: reference(name), Optional: optional}}
	})
}

func secretEnv(initial bool, optional *bool) func(*corev1.PodTemplateSpec, string) {
	return env(initial, func(name string) corev1.EnvVar {
		return corev1.EnvVar{ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
			LocalObjectReference: reference(name), Key: "k", Optional: optional}}}
	})
}

func secretEnvFrom(initial bool, optional *bool) func(*corev1.PodTemplateSpec, string) {
	return envFrom(initial, func(name string) corev1.EnvFromSource {
		return corev1.EnvFromSource{SecretRef: &corev1.SecretEnvSource{
			LocalObjectReference: reference(name), Optional: optional}}
	})
}

// places are where a Secret counts.
var places = []place{
	{"a volume's secret", secretVolume(nil)},
	{"a source of a projected volume", secretSource(nil)},
	{"an env", secretEnv(false, nil)},
	{"an envFrom", secretEnvFrom(false, nil)},
	{"an initContainer's env", secretEnv(true, nil)},
	{"an initContainer's envFrom", secretEnvFrom(true, nil)},
	{"imagePullSecrets", func(pod *corev1.PodTemplateSpec, name string) {
		pod.Spec.ImagePullSecrets = append(pod.Spec.ImagePullSecrets, reference(name))
	}},
	{"a volume's optional secret", secretVolume(new(true))},
	{"an optional source of a projected volume", secretSource(new(true))},
	{"an optional env", secretEnv(false, new(true))},
	{"an optional envFrom", secretEnvFrom(false, new(true))},
	{"an initContainer's optional env", secretEnv(true, new(true))},
	{"an initContainer's optional envFrom", secretEnvFrom(true, new(true))},
	{"a volume's secret with optional: false", secretVolume(new(false))},
	{"an env with optional: false", secretEnv(false, new(false))},
}

func other(of func(name string) corev1.VolumeSource) func(*corev1.PodTemplateSpec, string) {
	return volume(of)
}

// volumes are those decoys of which a name is that of a Secret, too, but not one that counts.
var volumes = []place{
	{"a csi volume", other(func(name string) corev1.VolumeSource {
		ref := reference(name)
		return corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{Driver: "d", NodePublishSecretRef: &ref}}
	})},
	{"an iscsi volume", other(func(name string) corev1.VolumeSource {
		ref := reference(name)
		return corev1.VolumeSource{ISCSI: &corev1.ISCSIVolumeSource{SecretRef: &ref}}
	})},
	{"a cephfs volume", other(func(name string) corev1.VolumeSource {
		ref := reference(name)
		return corev1.VolumeSource{CephFS: &corev1.CephFSVolumeSource{SecretRef: &ref}}
	})},
	{"an azureFile volume", other(func(name string) corev1.VolumeSource {
		return corev1.VolumeSource{AzureFile: &corev1.AzureFileVolumeSource{SecretName: name}}
	})},
}

// decoys are where it does not.
var decoys = append([]place{
	{"a configMap volume", other(func(name string) corev1.VolumeSource {
		return corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: reference(name)}}
	})},
	{"a persistentVolumeClaim volume", other(func(name string) corev1.VolumeSource {
		return corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}
	})},
	{"a configMap in a projected volume", projected(func(name string) corev1.VolumeProjection {
		return corev1.VolumeProjection{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: reference(name)}}
	})},
	{"a token in a projected volume", projected(func(name string) corev1.VolumeProjection {
		return corev1.VolumeProjection{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: name}}
	})},
	{"a configMapKeyRef of an env", env(false, func(name string) corev1.EnvVar {
		return corev1.EnvVar{ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{
			LocalObjectReference: reference(name)}}}
	})},
	{"a fieldRef of an initContainer's env", env(true, func(name string) corev1.EnvVar {
		return corev1.EnvVar{ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: name}}}
	})},
	{"the value of an env", env(false, func(name string) corev1.EnvVar { return corev1.EnvVar{Value: name} })},
	{"a configMapRef of an envFrom", envFrom(true, func(name string) corev1.EnvFromSource {
		return corev1.EnvFromSource{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: reference(name)}}
	})},
	{"the prefix of an envFrom", envFrom(false, func(name string) corev1.EnvFromSource {
		return corev1.EnvFromSource{Prefix: name}
	})},
	{"a volume without a source called", func(pod *corev1.PodTemplateSpec, name string) {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name})
	}},
	{"a container called", func(pod *corev1.PodTemplateSpec, name string) {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: name, Image: name})
	}},
	{"an ephemeral container's env", func(pod *corev1.PodTemplateSpec, name string) {
		pod.Spec.EphemeralContainers = append(pod.Spec.EphemeralContainers, corev1.EphemeralContainer{
			EphemeralContainerCommon: corev1.EphemeralContainerCommon{Env: []corev1.EnvVar{{
				ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
					LocalObjectReference: reference(name)}}}}}})
	}},
	{"an annotation of the template", func(pod *corev1.PodTemplateSpec, name string) {
		pod.Annotations = map[string]string{"secret": name, Field: name}
	}},
	{"a serviceAccountName", func(pod *corev1.PodTemplateSpec, name string) { pod.Spec.ServiceAccountName = name }},
	{"a hostname", func(pod *corev1.PodTemplateSpec, name string) { pod.Spec.Hostname = name }},
}, volumes...)

// put puts a use into a template.
func (u use) put(pod *corev1.PodTemplateSpec) {
	for _, p := range slices.Concat(places, decoys) {
		if p.name == u.place {
			p.put(pod, u.name)
			return
		}
	}
	panic("there is no place " + u.place)
}

func (u use) counts() bool {
	return slices.ContainsFunc(places, func(p place) bool { return p.name == u.place })
}

// states are what does not matter of a Deployment.
var states = map[string]func(*appsv1.Deployment){
	"":            func(*appsv1.Deployment) {},
	"no replicas": func(d *appsv1.Deployment) { d.Spec.Replicas = new(int32(0)) },
	"paused":      func(d *appsv1.Deployment) { d.Spec.Paused = true },
	"being deleted": func(d *appsv1.Deployment) {
		d.DeletionTimestamp, d.Finalizers = new(metav1.Unix(1e9, 0)), []string{"example.com/hold"}
	},
	"of a kind that it says": func(d *appsv1.Deployment) { d.SetGroupVersionKind(deploymentKind) },
	"available":              func(d *appsv1.Deployment) { d.Status.Replicas, d.Status.AvailableReplicas = 3, 3 },
	"with an owner": func(d *appsv1.Deployment) {
		d.OwnerReferences = []metav1.OwnerReference{{Kind: "Shop", Name: "s", UID: "u"}}
	},
}

var deploymentKind = appsv1.SchemeGroupVersion.WithKind("Deployment")

// others are what a cache may have that is no Deployment.
var others = map[string]func(*appsv1.Deployment) client.Object{
	"nil":                      func(*appsv1.Deployment) client.Object { return nil },
	"a nil *appsv1.Deployment": func(*appsv1.Deployment) client.Object { return (*appsv1.Deployment)(nil) },
	"a Pod": func(d *appsv1.Deployment) client.Object {
		return &corev1.Pod{ObjectMeta: d.ObjectMeta, Spec: d.Spec.Template.Spec}
	},
	"a PodTemplate": func(d *appsv1.Deployment) client.Object {
		return &corev1.PodTemplate{ObjectMeta: d.ObjectMeta, Template: d.Spec.Template}
	},
	"a ReplicaSet": func(d *appsv1.Deployment) client.Object {
		return &appsv1.ReplicaSet{ObjectMeta: d.ObjectMeta, Spec: appsv1.ReplicaSetSpec{Template: d.Spec.Template}}
	},
	"a StatefulSet": func(d *appsv1.Deployment) client.Object {
		return &appsv1.StatefulSet{ObjectMeta: d.ObjectMeta, Spec: appsv1.StatefulSetSpec{Template: d.Spec.Template}}
	},
	"a Secret": func(d *appsv1.Deployment) client.Object { return &corev1.Secret{ObjectMeta: d.ObjectMeta} },
	"an *unstructured.Unstructured of the kind Deployment": func(d *appsv1.Deployment) client.Object {
		return loose(d, deploymentKind)
	},
	"a *metav1.PartialObjectMetadata of the kind Deployment": func(d *appsv1.Deployment) client.Object {
		return metadata(d, deploymentKind)
	},
}

// loose is an object without its Go type.
func loose(o client.Object, kind schema.GroupVersionKind) client.Object {
	all, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		panic(err)
	}
	u := &unstructured.Unstructured{Object: all}
	u.SetGroupVersionKind(kind)
	return u
}

// metadata is that of an object.
func metadata(o client.Object, kind schema.GroupVersionKind) *metav1.PartialObjectMetadata {
	m := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: o.GetNamespace(), Name: o.GetName(),
		UID: o.GetUID(), ResourceVersion: o.GetResourceVersion(), DeletionTimestamp: o.GetDeletionTimestamp()}}
	m.SetGroupVersionKind(kind)
	return m
}

func (d deployment) key() types.NamespacedName {
	return types.NamespacedName{Namespace: d.ns, Name: d.name}
}

// typed makes a new Deployment each time, with pointers of its own.
func (d deployment) typed() *appsv1.Deployment {
	o := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: d.ns, Name: d.name, UID: "u-" + types.UID(d.name),
		ResourceVersion: "7", Generation: 3}}
	for _, u := range d.uses {
		u.put(&o.Spec.Template)
	}
	states[d.state](o)
	return o
}

func (d deployment) object() client.Object {
	if as := others[d.as]; as != nil {
		return as(d.typed())
	}
	return d.typed()
}

// using makes a deployment with names in places: uses("an env", "a", "imagePullSecrets", "b").
func using(placesAndNames ...string) deployment {
	d := deployment{ns: "east", name: "shop"}
	for i := 0; i < len(placesAndNames); i += 2 {
		d.uses = append(d.uses, use{placesAndNames[i], placesAndNames[i+1]})
	}
	return d
}

func (d deployment) is(state string) deployment {
	d.state = state
	return d
}

func (d deployment) like(as string) deployment {
	d.as = as
	return d
}

func (d deployment) at(ns, name string) deployment {
	d.ns, d.name = ns, name
	return d
}

func (d deployment) String() string {
	if d.as == "nil" || d.as == "a nil *appsv1.Deployment" {
		return d.as
	}
	parts := make([]string, 0, len(d.uses)+1)
	for _, u := range d.uses {
		parts = append(parts, fmt.Sprintf("%s %q", u.place, u.name))
	}
	if d.state != "" {
		parts = append(parts, d.state)
	}
	what := "a Deployment"
	if d.as != "" {
		what = d.as
	}
	if len(parts) == 0 {
		parts = []string{"nothing"}
	}
	return fmt.Sprintf("%s %s/%s with %s", what, d.ns, d.name, strings.Join(parts, ", "))
}

// list writes names.
func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	quoted := make([]string, 0, len(names))
	for _, name := range names {
		quoted = append(quoted, strconv.Quote(name))
	}
	return strings.Join(quoted, ", ")
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

// another is how many deployments there were.
var another int

// stands asks Secrets about a deployment that nobody has seen yet, and expects what the assignment says of it.
func stands(t *testing.T, d deployment) {
	t.Helper()
	another++
	d.name = fmt.Sprintf("%s-%d", d.name, another)
	standsBelieving(t, d, d.belief)
}

// standsBelieving says to what values point that are not the right ones.
func standsBelieving(t *testing.T, d deployment, belief func(got []string) string) {
	t.Helper()
	exercise.Bubble(t, func(t *testing.T) {
		t.Helper()
		o := d.object()
		began, panicked, got := time.Now(), any(nil), []string(nil)
		func() {
			defer func() { panicked = recover() }()
			got = sorted(Secrets(o))
		}()
		exercise.Expect(t, panicked == nil, exercise.Verdict{
			Expected: d.String() + ": nothing panics", Happened: fmt.Sprintf("a panic: %v", panicked)})
		if !slices.Equal(got, d.values()) {
			exercise.Fail(t, exercise.Verdict{
				Expected: d.String() + ": the values of Secrets are " + list(d.values()),
				Happened: "they were " + list(got), PointsTo: belief(got)})
		}
		exercise.Expect(t, time.Since(began) == 0, exercise.Verdict{
			Expected: d.String() + ": Secrets waits for nothing",
			Happened: fmt.Sprintf("it took %v of virtual time", time.Since(began)),
			PointsTo: "the belief that nobody else waits meanwhile. The cache calls Secrets under the lock of the " +
				"informer's store: whoever reads it waits, and so does the next event"})
		exercise.Expect(t, reflect.DeepEqual(o, d.object()), exercise.Verdict{
			Expected: d.String() + ": the object stays as it is", Happened: "it was changed"})
	})
}

// A marker is a key under which the scene finds its own context again.
type marker struct{}

func marked(ctx context.Context) context.Context {
	return context.WithValue(ctx, marker{}, "the scene's")
}

func isMarked(ctx context.Context) bool { return ctx != nil && ctx.Value(marker{}) == "the scene's" }

// values are those under which it stands, by the assignment.
func (d deployment) values() []string {
	var all []string
	if d.as != "" {
		return nil
	}
	for _, u := range d.uses {
		if u.counts() && u.name != "" {
			all = append(all, u.name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// without leaves out some places.
func (d deployment) without(out func(place string) bool) deployment {
	d.uses = slices.DeleteFunc(slices.Clone(d.uses), func(u use) bool { return out(u.place) })
	return d
}

// A rival is the assignment as somebody understands it who has a belief.
type rival struct {
	belief string
	values func(d deployment) []string
}

// leavesOut is one that does not see some places.
func leavesOut(belief string, parts ...string) rival {
	return rival{belief, func(d deployment) []string {
		return d.without(func(place string) bool {
			return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(place, part) })
		}).values()
	}}
}

var rivals = []rival{
	{"the belief that a value must say the namespace. The cache adds that of the object to each value, and that of " +
		"the question to what is asked for", func(d deployment) []string {
		all := d.values()
		for i := range all {
			all[i] = d.ns + "/" + all[i]
		}
		return all
	}},
	leavesOut("the belief that containers are all the containers. Those of initContainers come first, and read "+
		"their Secrets as the others do", "initContainer"),
	leavesOut("the belief that what is optional is not used. The Pod starts without the Secret, and uses it as soon "+
		"as there is one", "optional env", "optional secret", "optional source"),
	leavesOut("the belief that a Secret is used by what runs in a container. The kubelet uses it to have the image",
		"imagePullSecrets"),
	leavesOut("the belief that a volume has one Secret in it. A projected one has sources, each of which may be one",
		"projected"),
	leavesOut("the belief that a variable names the Secret from which it is. An envFrom makes variables of all that "+
		"is in a Secret", "envFrom"),
	leavesOut("", "secret"),
	leavesOut("", "env"),
	{"the belief that a name says what it is the name of. A ConfigMap may have the name of a Secret",
		func(d deployment) []string { return d.also("onfigMap") }},
	{"the belief that an object stands under one value. A field has one, and here there are as many as the " +
		"Deployment has Secrets", func(d deployment) []string { return d.values()[:min(1, len(d.values()))] }},
	{"", func(d deployment) []string { return d.also("") }},
	{"", func(d deployment) []string { return nil }},
}

// also are the values if decoys count whose names have a part.
func (d deployment) also(part string) []string {
	all := d.values()
	for _, u := range d.uses {
		if d.as == "" && strings.Contains(u.place, part) && u.name != "" {
			all = append(all, u.name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// belief is the one that leads to the values that were returned, if there is exactly one.
func (d deployment) belief(got []string) string {
	var those []string
	for _, r := range rivals {
		if slices.Equal(got, r.values(d)) {
			those = append(those, r.belief)
		}
	}
	if len(those) != 1 {
		return ""
	}
	return those[0]
}

// A question is a List, or another method, as it came.
type question struct {
	method          string
	list            string // the type of the list
	namespace       string
	fields, labels  string
	limit           int64
	more            string // Continue
	mine, cancelled bool   // the ctx of the call, and whether it ended with it
}

// A shelf is a cache whose index is right, whatever Secrets returns. It answers as a manager's cache does.
type shelf struct {
	deployments []deployment
	failure     error // what List returns, besides what it has found
	slow        bool  // List takes a nanosecond of virtual time
	onList      func()

	mu     sync.Mutex
	asked  []question
	itself map[types.NamespacedName]*appsv1.Deployment
}

func newShelf(deployments ...deployment) *shelf {
	s := &shelf{}
	s.hold(deployments...)
	return s
}

// hold says what is in it from now on.
func (s *shelf) hold(deployments ...deployment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deployments, s.itself = deployments, map[types.NamespacedName]*appsv1.Deployment{}
	for _, d := range deployments {
		s.itself[d.key()] = d.typed()
	}
}

func (s *shelf) Get(ctx context.Context, _ client.ObjectKey, _ client.Object, _ ...client.GetOption) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, question{method: "Get", mine: isMarked(ctx)})
	return errors.New("nobody has asked for this object to be watched")
}

// WaitForCacheSync is not the Reader's. Most caches have it.
func (s *shelf) WaitForCacheSync(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, question{method: "WaitForCacheSync", mine: isMarked(ctx)})
	return true
}

func (s *shelf) List(ctx context.Context, into client.ObjectList, options ...client.ListOption) error {
	o := (&client.ListOptions{}).ApplyOptions(options)
	q := question{method: "List", list: fmt.Sprintf("%T", into), namespace: o.Namespace, limit: o.Limit,
		more: o.Continue, mine: isMarked(ctx)}
	if o.FieldSelector != nil {
		q.fields = o.FieldSelector.String()
	}
	if o.LabelSelector != nil {
		q.labels = o.LabelSelector.String()
	}
	if s.slow {
		time.Sleep(time.Nanosecond)
	}
	if s.onList != nil {
		s.onList()
		q.cancelled = ctx.Err() != nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, q)
	list, ok := into.(*appsv1.DeploymentList)
	if !ok {
		return fmt.Errorf("the informer of a %T has no index with name field:%s", into, Field)
	}
	found, err := s.find(o)
	list.Items = found
	return errors.Join(err, s.failure)
}

// find are the Deployments that are asked for.
func (s *shelf) find(o *client.ListOptions) (found []appsv1.Deployment, err error) {
	for _, d := range s.deployments {
		wanted := o.Namespace == "" || o.Namespace == d.ns
		if o.FieldSelector != nil {
			for _, r := range o.FieldSelector.Requirements() {
				if r.Field != Field || r.Operator == selection.NotEquals {
					return nil, fmt.Errorf("index with name field:%s does not exist, or %s", r.Field, r.Operator)
				}
				wanted = wanted && slices.Contains(d.values(), r.Value)
			}
		}
		one := s.itself[d.key()]
		if !wanted || o.LabelSelector != nil && !o.LabelSelector.Matches(labels.Set(one.Labels)) {
			continue
		}
		if o.Limit > 0 && int64(len(found)) == o.Limit {
			break
		}
		if o.UnsafeDisableDeepCopy != nil && *o.UnsafeDisableDeepCopy {
			found = append(found, *one)
		} else {
			found = append(found, *one.DeepCopy())
		}
	}
	return found, nil
}

// A journal is where a logger writes to.
type journal struct {
	mu     sync.Mutex
	errors []error
}

func (j *journal) Init(logr.RuntimeInfo)          {}
func (j *journal) Enabled(int) bool               { return true }
func (j *journal) Info(int, string, ...any)       {}
func (j *journal) WithValues(...any) logr.LogSink { return j }
func (j *journal) WithName(string) logr.LogSink   { return j }
func (j *journal) Error(err error, _ string, _ ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.errors = append(j.errors, err)
}

// A secret is what has changed. What is not told is east and key.
type secret struct {
	ns, name string
	state    string // a key of secretStates
	as       string // a key of forms
}

// secretStates are what does not matter of a Secret.
var secretStates = map[string]func(*corev1.Secret){
	"":        func(*corev1.Secret) {},
	"no data": func(s *corev1.Secret) { s.Data = nil },
	"being deleted": func(s *corev1.Secret) {
		s.DeletionTimestamp, s.Finalizers = new(metav1.Unix(1e9, 0)), []string{"example.com/hold"}
	},
	"immutable":            func(s *corev1.Secret) { s.Immutable = new(true) },
	"of type tls":          func(s *corev1.Secret) { s.Type = corev1.SecretTypeTLS },
	"of type dockerconfig": func(s *corev1.Secret) { s.Type = corev1.SecretTypeDockerConfigJson },
	"of no type":           func(s *corev1.Secret) { s.Type = "" },
	"of a token":           func(s *corev1.Secret) { s.Type = corev1.SecretTypeServiceAccountToken },
	"without a UID":        func(s *corev1.Secret) { s.UID, s.ResourceVersion = "", "" },
}

var secretKind = corev1.SchemeGroupVersion.WithKind("Secret")

// A form is what an event may have. Not all are Secrets.
type form struct {
	name   string
	counts bool
	of     func(s *corev1.Secret) client.Object
}

var forms = []form{
	{"a *corev1.Secret that says its kind", true, func(s *corev1.Secret) client.Object {
		s.SetGroupVersionKind(secretKind)
		return s
	}},
	{"a *corev1.Secret", true, func(s *corev1.Secret) client.Object { return s }},
	{"a *metav1.PartialObjectMetadata of the kind Secret", true, func(s *corev1.Secret) client.Object {
		return metadata(s, secretKind)
	}},
	{"nil", false, func(*corev1.Secret) client.Object { return nil }},
	{"a nil *corev1.Secret", false, func(*corev1.Secret) client.Object { return (*corev1.Secret)(nil) }},
	{"a nil *metav1.PartialObjectMetadata", false, func(*corev1.Secret) client.Object {
		return (*metav1.PartialObjectMetadata)(nil)
	}},
	{"a ConfigMap", false, func(s *corev1.Secret) client.Object { return &corev1.ConfigMap{ObjectMeta: s.ObjectMeta} }},
	{"a ConfigMap that says that it is a Secret", false, func(s *corev1.Secret) client.Object {
		c := &corev1.ConfigMap{ObjectMeta: s.ObjectMeta}
		c.SetGroupVersionKind(secretKind)
		return c
	}},
	{"a Deployment", false, func(s *corev1.Secret) client.Object {
		return &appsv1.Deployment{ObjectMeta: s.ObjectMeta}
	}},
	{"a *metav1.PartialObjectMetadata of the kind ConfigMap", false, func(s *corev1.Secret) client.Object {
		return metadata(s, corev1.SchemeGroupVersion.WithKind("ConfigMap"))
	}},
	{"a *metav1.PartialObjectMetadata of the kind Secret in the group vault.example.com", false,
		func(s *corev1.Secret) client.Object {
			kind := secretKind
			kind.Group = "vault.example.com"
			return metadata(s, kind)
		}},
	{"an *unstructured.Unstructured of the kind Secret", false, func(s *corev1.Secret) client.Object {
		return loose(s, secretKind)
	}},
	{"a *metav1.PartialObjectMetadata of the kind Secret and the apiVersion v2", false, ofVersion("v2")},
	{"a *metav1.PartialObjectMetadata of the kind Secret, with no apiVersion", false, ofVersion("")},
	{"a *metav1.PartialObjectMetadata that says no kind", false, func(s *corev1.Secret) client.Object {
		return metadata(s, schema.GroupVersionKind{})
	}},
}

func ofVersion(version string) func(s *corev1.Secret) client.Object {
	return func(s *corev1.Secret) client.Object {
		return metadata(s, schema.GroupVersionKind{Version: version, Kind: "Secret"})
	}
}

func (s secret) form() form {
	i := slices.IndexFunc(forms, func(f form) bool { return f.name == s.as })
	return forms[i]
}

func (s secret) like(as string) secret {
	s.as = as
	return s
}

func (s secret) is(state string) secret {
	s.state = state
	return s
}

func named(ns, name string) secret { return secret{ns: ns, name: name, as: "a *corev1.Secret"} }

// object makes a new one each time.
func (s secret) object() client.Object {
	o := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: s.ns, Name: s.name, UID: "u-1", ResourceVersion: "7"},
		Type: corev1.SecretTypeOpaque, Data: map[string][]byte{"k": []byte("v")}}
	secretStates[s.state](o)
	return s.form().of(o)
}

func (s secret) String() string {
	state := ""
	if s.state != "" {
		state = ", " + s.state
	}
	if s.as == "nil" || strings.HasPrefix(s.as, "a nil ") {
		return s.as
	}
	return fmt.Sprintf("%s %s/%s%s", s.as, s.ns, s.name, state)
}

// users are the keys of the deployments that use a secret, by the assignment.
func (s secret) users(all []deployment) (keys []string) {
	for _, d := range all {
		if s.form().counts && d.ns == s.ns && slices.Contains(d.values(), s.name) {
			keys = append(keys, d.key().String())
		}
	}
	slices.Sort(keys)
	return keys
}

func written(requests []reconcile.Request) []string {
	keys := make([]string, 0, len(requests))
	for _, r := range requests {
		keys = append(keys, r.String())
	}
	slices.Sort(keys)
	return keys
}

// A call is what came of one call of the function that Users made.
type call struct {
	s        secret
	got      []string
	panicked any
	asked    []question
	errors   []error
	took     time.Duration
	same     bool // the secret and the deployments are what they were
}

// calls calls it in a bubble. Whatever is still running when it has returned is found there.
func calls(t *testing.T, users handler.MapFunc, all *shelf, s secret) (c call) {
	t.Helper()
	exercise.Bubble(t, func(t *testing.T) {
		t.Helper()
		all.mu.Lock()
		all.asked, all.slow = nil, true
		all.mu.Unlock()
		j, o := &journal{}, s.object()
		began := time.Now()
		func() {
			defer func() { c.panicked = recover() }()
			c.got = written(users(log.IntoContext(marked(context.Background()), logr.New(j)), o))
		}()
		c.s, c.took = s, time.Since(began)
		time.Sleep(time.Hour) // what is late comes now
		all.mu.Lock()
		c.asked = slices.Clone(all.asked)
		all.mu.Unlock()
		c.errors, c.same = j.errors, reflect.DeepEqual(o, s.object())
		for _, d := range all.deployments {
			c.same = c.same && reflect.DeepEqual(all.itself[d.key()], d.typed())
		}
	})
	return c
}

func (c call) expect(t *testing.T, ok bool, expected, happened, belief string) {
	t.Helper()
	exercise.Expect(t, ok, exercise.Verdict{Expected: "the function that Users made is called with " + c.s.String() +
		": " + expected, Happened: happened, PointsTo: belief})
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// leads calls the function with a secret, and expects what the assignment says of it.
func leads(t *testing.T, users handler.MapFunc, all *shelf, s secret) {
	t.Helper()
	leadsBelieving(t, users, all, s, "")
}

// leadsBelieving says to what it points if List is not called.
func leadsBelieving(t *testing.T, users handler.MapFunc, all *shelf, s secret, unasked string) {
	t.Helper()
	c := calls(t, users, all, s)
	c.expect(t, c.panicked == nil, "nothing panics", fmt.Sprintf("a panic: %v", c.panicked), "")
	if !s.form().counts {
		c.expect(t, len(c.asked) == 0, "it is no Secret, and the cache is not asked",
			"it was asked "+times(len(c.asked)), "")
		c.expect(t, len(c.got) == 0, "it is no Secret, and there is no Request", "there were "+list(c.got), "")
	} else {
		c.asksWell(t, unasked)
		c.finds(t, all)
	}
	c.expect(t, len(c.errors) == 0, "nothing is logged as an error", fmt.Sprintf("logged was %v", c.errors), "")
	c.expect(t, c.took <= time.Duration(len(c.asked)), "it waits for nothing but List",
		fmt.Sprintf("it took %v of virtual time besides", c.took-time.Duration(len(c.asked))), "")
	c.expect(t, c.same, "the Secret and the Deployments stay as they are", "one was changed", "")
}

// asksWell expects the right List and nothing else.
func (c call) asksWell(t *testing.T, unasked string) {
	t.Helper()
	for _, q := range c.asked {
		c.expect(t, q.method == "List", "no method of the cache is called but List", "called was "+q.method,
			"the belief that what has happened has to be looked at first. A Secret that is gone is in no cache, and "+
				"its users must run, too; and a Get of a kind that nobody watches starts to watch all of it")
	}
	c.expect(t, len(c.asked) > 0, "List is called", "it was not", unasked)
	c.expect(t, len(c.asked) == 1, "List is called once", "it was called "+times(len(c.asked)), "")
	q := c.asked[0]
	about := ""
	if strings.HasSuffix(q.list, "PartialObjectMetadataList") {
		about = "the belief that a cache has each object once. It has one informer of the Deployments and another " +
			"one of their metadata, and the index is with the first one"
	}
	c.expect(t, q.list == "*v1.DeploymentList", "List gets an *appsv1.DeploymentList", "it was a "+q.list, about)
	about = ""
	switch q.fields {
	case "":
		about = "the belief that it is quick to look through what is in memory. Each change of a Secret would copy " +
			"and look at all those Deployments, to find a few"
	case Field + "=" + c.s.ns + "/" + c.s.name:
		about = "the belief that a value has to say the namespace. The namespace is asked for by itself"
	}
	c.expect(t, q.fields == Field+"="+c.s.name, "List asks for the fields "+Field+"="+c.s.name,
		fmt.Sprintf("it asked for %q", q.fields), about)
	about = ""
	if q.namespace == "" {
		about = "the belief that a name is enough. Each namespace may have a Secret that is called so"
	}
	c.expect(t, q.namespace == c.s.ns, fmt.Sprintf("List asks for the namespace %q", c.s.ns),
		fmt.Sprintf("it asked for %q", q.namespace), about)
	c.expect(t, q.labels == "" && q.limit == 0 && q.more == "", "List asks for all of those",
		fmt.Sprintf("it asked for the labels %q, the Limit %d, and the Continue %q", q.labels, q.limit, q.more), "")
	c.expect(t, q.mine, "List gets the ctx of the call, or one made of it", "it was another", "")
}

// finds expects the right keys.
func (c call) finds(t *testing.T, all *shelf) {
	t.Helper()
	about := ""
	if slices.Equal(slices.Compact(slices.Clone(c.got)), []string{c.s.ns + "/" + c.s.name}) {
		about = "the belief that the key is that of the object that has changed. A controller's keys are those of " +
			"what it keeps"
	}
	want := c.s.users(all.deployments)
	c.expect(t, slices.Equal(c.got, want), "the Requests are "+list(want), "they were "+list(c.got), about)
}

// An indexer is what Register is given.
type indexer struct {
	calls  []string
	ctx    context.Context
	values client.IndexerFunc
	object client.Object
	err    error
}

func (x *indexer) IndexField(ctx context.Context, o client.Object, field string, values client.IndexerFunc) error {
	x.calls = append(x.calls, fmt.Sprintf("IndexField of a %T and %q", o, field))
	x.ctx, x.values, x.object = ctx, values, o
	return x.err
}

// A feed is where a cache lists and watches. There are no Deployments at first.
type feed struct{ events *watch.FakeWatcher }

func (f feed) List(metav1.ListOptions) (runtime.Object, error) {
	return &appsv1.DeploymentList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}, nil
}

func (f feed) Watch(metav1.ListOptions) (watch.Interface, error) { return f.events, nil }

// IsWatchListSemanticsUnSupported has an informer call List first.
func (f feed) IsWatchListSemanticsUnSupported() bool { return true }

// newCache makes controller-runtime's, as a manager has it, over a feed.
func newCache(t *testing.T, f feed) cache.Cache {
	t.Helper()
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(deploymentKind, meta.RESTScopeNamespace)
	made, err := cache.New(&rest.Config{Host: "http://127.0.0.1:1"}, cache.Options{Scheme: scheme.Scheme,
		Mapper: mapper, NewInformer: func(_ toolscache.ListerWatcher, o runtime.Object, resync time.Duration,
			indexers toolscache.Indexers) toolscache.SharedIndexInformer {
			return toolscache.NewSharedIndexInformer(f, o, resync, indexers)
		}})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// A world is a cache that runs, with the index, in a bubble.
type world struct {
	t     *testing.T
	users handler.MapFunc
	feed  feed
	all   []deployment
	ctx   context.Context
	did   []string // what has happened
}

// lives plays in one.
func lives(t *testing.T, play func(w *world)) {
	t.Helper()
	exercise.Bubble(t, func(t *testing.T) {
		t.Helper()
		ctx, cancel := context.WithCancel(context.Background())
		w := &world{t: t, feed: feed{watch.NewFake()}, ctx: log.IntoContext(ctx, logr.New(&journal{}))}
		cached := newCache(t, w.feed)
		w.users = Users(cached)
		err := Register(ctx, cached)
		exercise.Expect(t, err == nil, exercise.Verdict{
			Expected: "Register has the cache keep the index, and returns nil",
			Happened: fmt.Sprintf("it returned %v", err)})
		var ended sync.WaitGroup
		ended.Go(func() { _ = cached.Start(ctx) })
		defer ended.Wait()
		defer cancel()
		synctest.Wait()
		play(w)
	})
}

func (w *world) happens(what string, d deployment, tell func(runtime.Object)) {
	w.t.Helper()
	w.did = append(w.did, what+" "+d.String())
	w.all = slices.DeleteFunc(w.all, func(is deployment) bool { return is.key() == d.key() })
	if what != "gone is" {
		w.all = append(w.all, d)
	}
	tell(d.typed())
	synctest.Wait()
}

func (w *world) add(d deployment)    { w.t.Helper(); w.happens("new is", d, w.feed.events.Add) }
func (w *world) change(d deployment) { w.t.Helper(); w.happens("changed is", d, w.feed.events.Modify) }
func (w *world) remove(d deployment) { w.t.Helper(); w.happens("gone is", d, w.feed.events.Delete) }

// leads expects what a look at all the deployments says.
func (w *world) leads(s secret) {
	w.t.Helper()
	got, want := written(w.users(w.ctx, s.object())), s.users(w.all)
	last := w.did[max(0, len(w.did)-3):]
	exercise.Expect(w.t, slices.Equal(got, want), exercise.Verdict{
		Expected: fmt.Sprintf("a manager's cache keeps the index; at last, %s: then the Requests of %v are %s",
			strings.Join(last, ", then "), s, list(want)),
		Happened: "they were " + list(got)})
}
