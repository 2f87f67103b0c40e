// Package reconcile is what a controller does with one key from its queue. The controller mirrors ConfigMaps: each
// source stands again, as a mirror, in every namespace that asks for mirrors.
package reconcile

import (
	"context"

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
	// TODO: what should stand there, what does, and which write brings the one nearer to the other?
	_ = equality.Semantic // it may help
	return apierrors.NewMethodNotSupported(corev1.Resource("configmaps"), "reconcile")
}
