package mirror

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Reconcile brings one place one write nearer to what it should be. It is right at any time and any number of times:
// nothing depends on why it was called. After its write the place changes, and that leads to the next run.
//
// An error says that the place is not yet what it should be and that another run is needed, later. The API server's
// refusals are in it as they came.
//
// Upstream: the syncHandler of any controller, such as syncReplicaSet in pkg/controller/replicaset/replica_set.go.
func Reconcile(ctx context.Context, place Key, reader Reader, writer Writer) error {
	standing, stands := reader.Get(place)
	wanted := desired(place, reader)
	switch {
	case !stands && wanted == nil:
		return nil
	case !stands:
		return writer.Create(ctx, wanted)
	case roleOf(standing) != Mirror:
		return letAlone(standing, wanted)
	case standing.DeletionTimestamp != nil:
		return nil // its finalizers take their time, and its end leads to another run
	case wanted == nil:
		return remove(ctx, standing, writer)
	}
	mended := repaired(standing, wanted)
	switch {
	case mended == nil:
		return nil
	case frozen(standing, mended):
		return remove(ctx, standing, writer) // the next run makes it anew
	}
	return writer.Update(ctx, mended)
}

// letAlone is what is done about an object that is not the controller's: nothing. It is an error if a mirror should
// stand there.
func letAlone(standing, wanted *corev1.ConfigMap) error {
	if wanted == nil {
		return nil
	}
	return fmt.Errorf("the mirror of %s cannot stand at %s: a ConfigMap that is no mirror is there, and stays",
		wanted.Annotations[Of], keyOf(standing))
}

// remove deletes a mirror that was seen, and no other: whoever has taken its place since, or has changed it, has made
// something that this run does not know.
func remove(ctx context.Context, seen *corev1.ConfigMap, writer Writer) error {
	err := writer.Delete(ctx, keyOf(seen), metav1.Preconditions{UID: &seen.UID, ResourceVersion: &seen.ResourceVersion})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
