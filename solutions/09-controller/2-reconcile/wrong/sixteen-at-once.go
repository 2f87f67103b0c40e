// Misconception: whoever writes much has to see to it that it is not too much at one time.
// Caught by: TestCallsAtOnce
// Message: another call is for shop/colors: it returns

//go:build wrong

package reconcile

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var room = make(chan struct{}, 16)

type limited struct{ Writer }

func (l limited) Create(ctx context.Context, o *corev1.ConfigMap) error {
	room <- struct{}{}
	defer func() { <-room }()
	return l.Writer.Create(ctx, o)
}

func (l limited) Delete(ctx context.Context, key Key, p metav1.Preconditions) error {
	room <- struct{}{}
	defer func() { <-room }()
	return l.Writer.Delete(ctx, key, p)
}

func Reconcile(ctx context.Context, key Key, reader Reader, w Writer) error {
	writer := limited{w}
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
}
