// Misconception: what is being deleted is as good as gone.
// Caught by: TestCreations
// Message: the belief that what is being deleted is as good as gone

//go:build wrong

package predicates

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func is(object metav1.Object, class string) bool {
	return object.GetLabels()[Class] == class && object.GetDeletionTimestamp() == nil // wrong
}
