// Misconception: what was deleted, and is still shown, is about to go.
// Caught by: TestTheSecondCall
// Message: the belief that what was done once is done.

//go:build wrong

package reconcile

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var gone sync.Map // of *corev1.ConfigMap: what was deleted

func remove(ctx context.Context, key Key, mirror *corev1.ConfigMap, writer Writer) error {
	if _, ok := gone.Load(mirror); ok {
		return nil
	}
	uid, version := mirror.UID, mirror.ResourceVersion
	err := writer.Delete(ctx, key, metav1.Preconditions{UID: &uid, ResourceVersion: &version})
	if err == nil {
		gone.Store(mirror, true)
	}
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
