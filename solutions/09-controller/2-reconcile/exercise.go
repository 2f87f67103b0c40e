// Package reconcile is what a controller does with one key from its queue. The controller mirrors ConfigMaps: each
// source stands again, as a mirror, in every namespace that asks for mirrors.
package reconcile

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// A Key is a place: the namespace and the name of a ConfigMap that stands there, or should.
type Key = cache.ObjectName

// The labels and annotations of what takes part.
const (
	Group  = "mirror.scratch.example.com/group" // label of all that takes part, with one value for all of it
	Role   = "mirror.scratch.example.com/role"  // label of a ConfigMap: Source, Mirror, or something else
	Source = "source"
	Mirror = "mirror"
	Of     = "mirror.scratch.example.com/of" // annotation of a mirror: NAMESPACE/NAME of its source
)

// A Reader reads the caches of two informers. They may lag behind the API server, and all who read get the same
// objects.
type Reader interface {
	// Asks reports whether a namespace asks for mirrors: it is there, is not being deleted, and has the label Group.
	Asks(namespace string) bool
	// Sources returns the sources of a name, of all namespaces, in no order. The slice is yours.
	Sources(name string) []*corev1.ConfigMap
	// Get returns what stands at a place, if it has the label Group.
	Get(key Key) (*corev1.ConfigMap, bool)
}

// A Writer writes to the API server. Its errors are those of client-go's clientset, and may be wrapped.
type Writer interface {
	Create(ctx context.Context, configMap *corev1.ConfigMap) error
	Update(ctx context.Context, configMap *corev1.ConfigMap) error
	Delete(ctx context.Context, key Key, preconditions metav1.Preconditions) error
}

// Reconcile looks at one place, and brings what stands there nearer to what should.
//
// What should stand there:
//
//   - A mirror should stand at a place if the namespace asks, there is a source of the name, and no source stands at
//     the place itself.
//   - Of several sources, the mirror is that of the one whose namespace sorts first, as strings do. A source with a
//     deletionTimestamp is one until it is gone.
//   - A mirror is what has the Role Mirror. It is right if Of names its source, and Data and BinaryData are equal to
//     the source's. An empty map and none are equal.
//
// What is done:
//
//   - Where a mirror should stand and nothing stands, a right one is created, with the source's label Group. It has
//     nothing else of the source: no other label or annotation, no owner, no finalizer, not Immutable.
//   - A mirror that is right is not written.
//   - A mirror that is wrong is updated: what is wrong is made right. All else stays as it was read, foreign labels and
//     annotations and the resourceVersion, too.
//   - A mirror that is Immutable has to keep its Data and BinaryData. If those are wrong, it is deleted.
//   - A mirror is deleted where none should stand.
//   - The preconditions of a deletion are the UID and the resourceVersion that were read.
//   - A mirror with a deletionTimestamp is let alone.
//   - What stands there and is no mirror is not ours, and is let alone. If a mirror should stand there, Reconcile
//     returns an error with the namespace and the name in its text, also if what stands there is being deleted.
//   - A call makes one write at most. What is still to do is done by a later call: a write brings the key again.
//
// How it is done:
//
//   - An error of the Writer is returned, whichever it is, bare or wrapped, so that errors.Is and errors.As find it.
//     But NotFound is no error of a deletion: Reconcile returns nil, and a later call does what is still to do. In
//     all other cases but that of what is not ours, it returns nil, too.
//   - Nothing that the Reader returns is changed. A ConfigMap that is written is the Writer's: it shares nothing with
//     those of the Reader that could be written to.
//   - Each call decides from what the Reader returns now, and from nothing else. Anybody may have written since the
//     last call, or nobody may have seen what it wrote.
//   - The Writer gets ctx, or one that is made from it and ends when it does. If ctx has ended, Reconcile may return
//     its error and write nothing.
//   - Reconcile waits for nothing but the Writer. Calls for several places run at once, and none waits for another.
func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	//solution:begin
	//todo: what should stand there, what does, and which write brings the one nearer to the other?
	//stub: _ = equality.Semantic // it may help
	//stub: return apierrors.NewMethodNotSupported(corev1.Resource("configmaps"), "reconcile")
	source := wanted(key, reader)
	there, found := reader.Get(key)
	switch {
	case !found && source == nil:
		return nil
	case !found:
		return writer.Create(ctx, mirrorOf(source, key))
	case there.Labels[Role] != Mirror:
		return notOurs(key, source)
	case there.DeletionTimestamp != nil:
		return nil
	case source == nil:
		return remove(ctx, key, there, writer)
	case sameData(there, source) && there.Annotations[Of] == nameOf(source):
		return nil
	case there.Immutable != nil && *there.Immutable && !sameData(there, source):
		return remove(ctx, key, there, writer)
	}
	return writer.Update(ctx, corrected(there, source))
	//solution:end
}

//solution:begin

// wanted returns the source whose mirror should stand at a place, or nil.
func wanted(key Key, reader Reader) *corev1.ConfigMap {
	if !reader.Asks(key.Namespace) {
		return nil
	}
	var first *corev1.ConfigMap
	for _, source := range reader.Sources(key.Name) {
		if source.Namespace == key.Namespace {
			return nil
		}
		if first == nil || source.Namespace < first.Namespace {
			first = source
		}
	}
	return first
}

// nameOf is what a mirror's annotation says of its source.
func nameOf(source *corev1.ConfigMap) string { return source.Namespace + "/" + source.Name }

// sameData compares what a mirror has of its source.
func sameData(mirror, source *corev1.ConfigMap) bool {
	return equality.Semantic.DeepEqual(mirror.Data, source.Data) &&
		equality.Semantic.DeepEqual(mirror.BinaryData, source.BinaryData)
}

// mirrorOf makes a mirror for a place.
func mirrorOf(source *corev1.ConfigMap, key Key) *corev1.ConfigMap {
	copied := source.DeepCopy()
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   key.Namespace,
			Name:        key.Name,
			Labels:      map[string]string{Group: source.Labels[Group], Role: Mirror},
			Annotations: map[string]string{Of: nameOf(source)},
		},
		Data:       copied.Data,
		BinaryData: copied.BinaryData,
	}
}

// corrected copies a mirror, and makes the copy right.
func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, copied := mirror.DeepCopy(), source.DeepCopy()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[Of] = nameOf(source)
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	return m
}

// remove deletes the mirror that was read, and nothing that has come after it.
func remove(ctx context.Context, key Key, mirror *corev1.ConfigMap, writer Writer) error {
	uid, version := mirror.UID, mirror.ResourceVersion
	err := writer.Delete(ctx, key, metav1.Preconditions{UID: &uid, ResourceVersion: &version})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// notOurs is the error about a place that somebody else has taken, if it was wanted for a mirror.
func notOurs(key Key, source *corev1.ConfigMap) error {
	if source == nil {
		return nil
	}
	return fmt.Errorf("%s is no mirror: that of %s can't stand there", key, nameOf(source))
}

//solution:end
