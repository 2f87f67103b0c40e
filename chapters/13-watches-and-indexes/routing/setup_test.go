package routing_test

import (
	"cmp"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// known are the kinds of these tests.
func known() *runtime.Scheme {
	all := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(all))
	utilruntime.Must(v1alpha1.AddToScheme(all))
	return all
}

// later is a version of the book's group that comes one day.
var later = schema.GroupVersion{Group: v1alpha1.GroupVersion.Group, Version: "v1"}

// served is the mapper of a server that has these kinds. That of Processes has two versions.
func served() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	m.Add(v1alpha1.GroupVersion.WithKind("Process"), meta.RESTScopeNamespace)
	m.Add(later.WithKind("Process"), meta.RESTScopeNamespace)
	m.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	m.Add(corev1.SchemeGroupVersion.WithKind("Node"), meta.RESTScopeRoot)
	return m
}

// added is a key that a handler has added.
type added struct {
	key      reconcile.Request
	priority int
}

// plain is a queue that keeps what was added.
type plain struct {
	workqueue.TypedRateLimitingInterface[reconcile.Request]
	all []added
}

// Add implements workqueue.TypedInterface.
func (q *plain) Add(key reconcile.Request) { q.all = append(q.all, added{key, 0}) }

// prioritised is one that takes priorities.
type prioritised struct {
	priorityqueue.PriorityQueue[reconcile.Request]
	plain
}

// Add implements workqueue.TypedInterface.
func (q *prioritised) Add(key reconcile.Request) { q.plain.Add(key) }

// AddWithOpts implements priorityqueue.PriorityQueue.
func (q *prioritised) AddWithOpts(o priorityqueue.AddOpts, keys ...reconcile.Request) {
	for _, key := range keys {
		q.all = append(q.all, added{key, ptr.Deref(o.Priority, 0)})
	}
}

// sorted is what was added, in the order of the keys.
func sorted(all []added) []added {
	slices.SortFunc(all, func(a, b added) int { return cmp.Compare(a.key.String(), b.key.String()) })
	return all
}

// key is one of the namespace tea.
func key(name string) reconcile.Request {
	return reconcile.Request{NamespacedName: client.ObjectKey{Namespace: "tea", Name: name}}
}

// cup is a ConfigMap of that namespace, with the keys that it names.
func cup(version string, names ...string) *corev1.ConfigMap {
	o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "tea", Name: "cup", ResourceVersion: version},
		Data: map[string]string{}}
	for _, name := range names {
		o.Data[name] = "is named"
	}
	return o
}
