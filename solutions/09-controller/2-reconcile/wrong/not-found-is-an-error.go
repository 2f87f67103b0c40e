// Breaks: But NotFound is no error of a deletion: Reconcile returns nil, and a later call does what is still to do.
// Caught by: TestErrorsOfTheWriter
// Message: the Writer returns NotFound from Delete

//go:build wrong

package reconcile

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func remove(ctx context.Context, key Key, mirror *corev1.ConfigMap, writer Writer) error {
	uid, version := mirror.UID, mirror.ResourceVersion
	return writer.Delete(ctx, key, metav1.Preconditions{UID: &uid, ResourceVersion: &version})
}
