// Breaks: An object is ours if the value of its label Class is the class.
// Caught by: TestCreations
// Message: create theirs

//go:build wrong

package predicates

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

func is(object metav1.Object, class string) bool {
	_, ok := object.GetLabels()[Class]
	return ok && class != "" // wrong
}
