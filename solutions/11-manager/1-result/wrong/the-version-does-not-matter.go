// Breaks: It is deleted. The preconditions are the UID and the resourceVersion that were read.
// Caught by: TestWhatIsOverIsDeleted
// Message: its deletion: a at 0s if uid=u7 version=99

//go:build wrong

package result

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func preconditions(object *corev1.ConfigMap) metav1.Preconditions {
	return metav1.Preconditions{UID: new(object.UID)} // wrong: Until may have changed
}
