package managed

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// reader answers one run's questions, or one handler's. Chapter 09's reads cannot fail; these can: the context ends
// while a cache is not filled, or a client waits. So it remembers the first failure, after which no answer counts.
//
// What it returns is a copy: the cache makes one of each object that is read.
type reader struct {
	from   client.Reader
	ctx    context.Context // of the run: chapter 09's questions come without one
	failed error
}

var (
	_ mirror.Reader    = &reader{}
	_ mirror.Relations = &reader{}
)

// Asks implements mirror.Reader.
func (r *reader) Asks(namespace string) bool {
	var n corev1.Namespace
	return r.get(client.ObjectKey{Name: namespace}, &n) && n.DeletionTimestamp == nil
}

// Get implements mirror.Reader.
func (r *reader) Get(place mirror.Key) (*corev1.ConfigMap, bool) {
	var c corev1.ConfigMap
	return &c, r.get(client.ObjectKey(place), &c)
}

// Sources implements mirror.Reader.
func (r *reader) Sources(name string) []*corev1.ConfigMap {
	return r.configMaps(mirror.Source, client.MatchingFields{byName: name})
}

// Namespaces implements mirror.Relations.
func (r *reader) Namespaces(name string) (all []string) {
	var asking corev1.NamespaceList
	r.list(&asking)
	for i := range asking.Items {
		all = append(all, asking.Items[i].Name)
	}
	for _, c := range r.configMaps(mirror.Mirror, client.MatchingFields{byName: name}) {
		all = append(all, c.Namespace) // it may stand where nobody asks any more
	}
	return all
}

// Names implements mirror.Relations.
func (r *reader) Names(namespace string) (all []string) {
	for _, c := range r.configMaps(mirror.Source) {
		all = append(all, c.Name)
	}
	for _, c := range r.configMaps(mirror.Mirror, client.InNamespace(namespace)) {
		all = append(all, c.Name)
	}
	return all
}

// configMaps are those of a role.
func (r *reader) configMaps(role string, which ...client.ListOption) (those []*corev1.ConfigMap) {
	var list corev1.ConfigMapList
	r.list(&list, append(which, client.MatchingLabels{mirror.Role: role})...)
	for i := range list.Items {
		those = append(those, &list.Items[i])
	}
	return those
}

func (r *reader) get(key client.ObjectKey, into client.Object) bool {
	err := r.from.Get(r.ctx, key, into)
	if !apierrors.IsNotFound(err) {
		r.note(err)
	}
	return err == nil
}

func (r *reader) list(into client.ObjectList, which ...client.ListOption) {
	r.note(r.from.List(r.ctx, into, which...))
}

func (r *reader) note(err error) {
	if r.failed == nil {
		r.failed = err
	}
}

// places names those that an object concerns, by chapter 09's handler. For an update, controller-runtime calls it for
// what the object was and for what it is. Of a tombstone it passes the object as it was last seen,
// and not the key, by which chapter 09's own handler goes: one that had become a source since is not known for one.
//
// It reads the cache, and not with the manager's client, which may wait for what the controller has written. A read
// fails only at the end, when nothing more is to be done.
func places(from client.Reader) handler.MapFunc {
	return func(ctx context.Context, object client.Object) (all []reconcile.Request) {
		mirror.NewHandler(&reader{from: from, ctx: ctx}, func(place mirror.Key) {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKey(place)})
		}).OnAdd(object, false)
		return all
	}
}
