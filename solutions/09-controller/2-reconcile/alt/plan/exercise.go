// Package reconcile is what a controller does with one key from its queue.
package reconcile

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// A Key is a place.
type Key = cache.ObjectName

// The labels and annotations of what takes part.
const (
	Group  = "mirror.scratch.example.com/group"
	Role   = "mirror.scratch.example.com/role"
	Source = "source"
	Mirror = "mirror"
	Of     = "mirror.scratch.example.com/of"
)

// A Reader reads the caches of two informers.
type Reader interface {
	Asks(namespace string) bool
	Sources(name string) []*corev1.ConfigMap
	Get(key Key) (*corev1.ConfigMap, bool)
}

// A Writer writes to the API server.
type Writer interface {
	Create(ctx context.Context, configMap *corev1.ConfigMap) error
	Update(ctx context.Context, configMap *corev1.ConfigMap) error
	Delete(ctx context.Context, key Key, preconditions metav1.Preconditions) error
}

// A write is what is to be done with a Writer. A nil one is nothing to do.
type write func(context.Context, Writer) error

// Reconcile makes a plan without the Writer, and then carries it out.
func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	do, err := plan(key, reader)
	if do != nil {
		err = do(ctx, writer)
	}
	return err
}

func plan(key Key, reader Reader) (write, error) {
	there, found := reader.Get(key)
	ours := found && there.Labels[Role] == Mirror
	if ours && there.DeletionTimestamp != nil || found && there.Labels[Role] == Source {
		return nil, nil
	}
	source := firstSource(key, reader)
	if source == nil {
		if ours {
			return deletion(key, there), nil
		}
		return nil, nil
	}
	switch {
	case found && !ours:
		return nil, errors.New("taken: " + key.String())
	case !found:
		made := &corev1.ConfigMap{}
		made.Namespace, made.Name = key.Namespace, key.Name
		made.Labels = map[string]string{Group: source.Labels[Group], Role: Mirror}
		fill(made, source)
		return func(ctx context.Context, w Writer) error { return w.Create(ctx, made) }, nil
	case !isLike(there, source) && there.Immutable != nil && *there.Immutable:
		return deletion(key, there), nil
	case !isLike(there, source) || there.Annotations[Of] != fmt.Sprint(cache.MetaObjectToName(source)):
		changed := there.DeepCopy()
		fill(changed, source)
		return func(ctx context.Context, w Writer) error { return w.Update(ctx, changed) }, nil
	}
	return nil, nil
}

func firstSource(key Key, reader Reader) (first *corev1.ConfigMap) {
	if !reader.Asks(key.Namespace) {
		return nil
	}
	for _, s := range reader.Sources(key.Name) {
		if first == nil || s.Namespace < first.Namespace {
			first = s
		}
	}
	return first
}

func deletion(key Key, there *corev1.ConfigMap) write {
	return func(ctx context.Context, w Writer) error {
		read := metav1.Preconditions{UID: new(there.UID), ResourceVersion: new(there.ResourceVersion)}
		if err := w.Delete(ctx, key, read); !apierrors.IsNotFound(err) {
			return err
		}
		return nil
	}
}

// fill gives a mirror what is its source's, one entry at a time: no map is nil, and none is shared.
func fill(mirror, source *corev1.ConfigMap) {
	if mirror.Annotations == nil {
		mirror.Annotations = map[string]string{}
	}
	mirror.Annotations[Of] = cache.MetaObjectToName(source).String()
	mirror.Data, mirror.BinaryData = map[string]string{}, map[string][]byte{}
	for k, v := range source.Data {
		mirror.Data[k] = v
	}
	for k, v := range source.BinaryData {
		mirror.BinaryData[k] = bytes.Clone(v)
	}
}

func isLike(mirror, source *corev1.ConfigMap) bool {
	same := len(mirror.Data) == len(source.Data) && len(mirror.BinaryData) == len(source.BinaryData)
	for k, v := range source.Data {
		there, has := mirror.Data[k]
		same = same && has && there == v
	}
	for k, v := range source.BinaryData {
		there, has := mirror.BinaryData[k]
		same = same && has && bytes.Equal(there, v)
	}
	return same
}
