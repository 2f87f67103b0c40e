// Breaks: Anything else leads to nothing: what is of another kind, group or version, an *unstructured.Unstructured,
// nil, and a pointer that is nil.
// Caught by: TestWhatASecretIs
// Message: Happened: it was asked once

//go:build wrong

package index

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// isSecret says whether an object is one, whole or its metadata alone.
func isSecret(object client.Object) bool {
	switch o := object.(type) {
	case *corev1.Secret:
		return o != nil
	case *metav1.PartialObjectMetadata:
		return o != nil && o.GroupVersionKind() == corev1.SchemeGroupVersion.WithKind("Secret")
	}
	// wrong: whatever says so is one
	return object != nil && object.GetObjectKind().GroupVersionKind() == corev1.SchemeGroupVersion.WithKind("Secret")
}
