package predicates_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/exercises/2-predicates"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The class of the predicate that is tested. An object that is "ours" is of it.
const class = "web"

// object reads "ours v=7 gen=2 status=3 note:x=1 label:y=2 finalizer=z deleting": whose it is (ours, theirs, or
// unmarked), and what else there is. v is the resourceVersion, gen the generation, uid the UID; they are 1, 1 and u1 if
// they are not told. deleting=30 is a deletionTimestamp 30 seconds later than deleting, grace the
// deletionGracePeriodSeconds. Whatever has gen=0 is a ConfigMap, which has data and no status.
func object(text string) client.Object {
	words := strings.Fields(text)
	meta := metav1.ObjectMeta{Namespace: "default", Name: "a", UID: "u1", ResourceVersion: "1", Generation: 1}
	var status int32
	switch words[0] {
	case "ours":
		meta.Labels = map[string]string{Class: class}
	case "theirs":
		meta.Labels = map[string]string{Class: "db"}
	}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		note, isNote := strings.CutPrefix(name, "note:")
		label, isLabel := strings.CutPrefix(name, "label:")
		switch {
		case isNote:
			meta.Annotations = put(meta.Annotations, note, value)
		case isLabel:
			meta.Labels = put(meta.Labels, label, value)
		case name == "uid":
			meta.UID = types.UID(value)
		case name == "v":
			meta.ResourceVersion = value
		case name == "gen":
			_, _ = fmt.Sscan(value, &meta.Generation)
		case name == "status" || name == "data":
			_, _ = fmt.Sscan(value, &status)
		case name == "finalizer":
			if meta.Finalizers == nil {
				meta.Finalizers = make([]string, 0, 4) // a decoder, too, leaves room behind them
			}
			meta.Finalizers = append(meta.Finalizers, value)
		case name == "owner":
			meta.OwnerReferences = append(meta.OwnerReferences, metav1.OwnerReference{Name: value})
		case name == "manager":
			meta.ManagedFields = append(meta.ManagedFields, metav1.ManagedFieldsEntry{Manager: value})
		case name == "deleting":
			var seconds int64
			_, _ = fmt.Sscan(value, &seconds)
			meta.DeletionTimestamp = &metav1.Time{Time: time.Unix(1e9+seconds, 0)}
		case name == "grace":
			meta.DeletionGracePeriodSeconds = new(int64)
			_, _ = fmt.Sscan(value, meta.DeletionGracePeriodSeconds)
		}
	}
	if meta.Generation == 0 {
		return &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{"data": fmt.Sprint(status)}}
	}
	return &appsv1.Deployment{ObjectMeta: meta, Status: appsv1.DeploymentStatus{Replicas: status}}
}

func put(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[key] = value
	return m
}

// alone is the same object, of which a cache has the metadata alone.
func alone(o client.Object) client.Object {
	meta := &metav1.PartialObjectMetadata{}
	switch o := o.(type) {
	case *corev1.ConfigMap:
		meta.ObjectMeta = o.ObjectMeta
	case *appsv1.Deployment:
		meta.ObjectMeta = o.ObjectMeta
	}
	return meta
}

// untyped is the same object, as a cache has it whose kind is not known when the program is built.
func untyped(o client.Object) client.Object {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		panic(err)
	}
	return &unstructured.Unstructured{Object: fields}
}

// tell has a predicate decide about an event, and reports whether it leads to a run.
//
//	create ours                 initial ours              delete ours
//	lost ours                   a deletion with DeleteStateUnknown
//	generic theirs              update ours v=1 -> ours v=2
func tell(p predicate.Predicate, text string, as func(client.Object) client.Object) (leads bool,
	objects []client.Object) {
	verb, rest, _ := strings.Cut(text, " ")
	for _, part := range strings.Split(rest, " -> ") {
		objects = append(objects, as(object(part)))
	}
	switch o := objects[0]; verb {
	case "create", "initial":
		return p.Create(event.CreateEvent{Object: o, IsInInitialList: verb == "initial"}), objects
	case "delete", "lost":
		return p.Delete(event.DeleteEvent{Object: o, DeleteStateUnknown: verb == "lost"}), objects
	case "generic":
		return p.Generic(event.GenericEvent{Object: o}), objects
	}
	return p.Update(event.UpdateEvent{ObjectOld: objects[0], ObjectNew: objects[1]}), objects
}

const (
	run  = true
	none = false
)

// decides expects what a predicate says of an event. The belief is one that the wrong answer points to, or empty.
func decides(t *testing.T, p predicate.Predicate, text string, want bool, belief string) {
	t.Helper()
	for _, as := range []func(client.Object) client.Object{whole, alone, untyped} {
		got, objects := tell(p, text, as)
		exercise.Expect(t, got == want, exercise.Verdict{Expected: about(text) + ": " + outcome(want),
			Happened: outcome(got),
			PointsTo: belief})
		_, before := tell(predicate.Funcs{}, text, as)
		exercise.Expect(t, equality.Semantic.DeepEqual(before, objects), exercise.Verdict{
			Expected: about(text) + ": the objects stay as they are", Happened: "one was changed"})
	}
}

func whole(o client.Object) client.Object { return o }

func outcome(leads bool) string {
	if leads {
		return "it leads to a run"
	}
	return "it leads to none"
}

// about is an event, with the words explained that do not explain themselves.
func about(text string) string {
	var legend []string
	words := strings.Fields(text)
	for _, sign := range []struct{ word, means string }{
		{"v=", "v is the resourceVersion, 1 if it is not told"},
		{"gen=", "gen is the generation, 1 if it is not told"},
		{"uid=", "uid is the UID"},
		{"note:", "note is an annotation"},
		{"theirs", "theirs is of another class"},
		{"unmarked", "unmarked is without the label Class"},
		{"deleting", "deleting is a deletionTimestamp"},
		{"deleting=", "its number says in which second"},
		{"grace=", "grace is the deletionGracePeriodSeconds"},
		{"initial", "initial is a creation of the initial list"},
		{"lost", "lost is a deletion with DeleteStateUnknown"},
	} {
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, sign.word) }) {
			legend = append(legend, sign.means)
		}
	}
	if legend == nil {
		return text
	}
	return fmt.Sprintf("%s (%s)", text, strings.Join(legend, "; "))
}
