// Misconception: an object says of which kind it is.
// Caught by: TestWhatASecretIs
// Message: Points to: the belief that an object in a cache says of which kind it is. Its Go type says that, and the
// rest is mostly empty

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
		return o != nil && o.Kind == "Secret" // wrong: that is mostly empty
	case *metav1.PartialObjectMetadata:
		return o != nil && o.GroupVersionKind() == corev1.SchemeGroupVersion.WithKind("Secret")
	}
	return false
}
