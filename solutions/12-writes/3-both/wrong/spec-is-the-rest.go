// Breaks: The rest is every other field of the object.
// Caught by: TestOneIsSaved
// Message: Happened: nothing was sent

//go:build wrong

package both

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// halves are what each of the two requests may change. An unstructured object's content is its own, also below.
func halves(object client.Object) (status, rest *unstructured.Unstructured, err error) {
	all, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object.DeepCopyObject())
	if err != nil {
		return nil, nil, err
	}
	status = &unstructured.Unstructured{Object: map[string]any{}}
	if s, ok := all["status"]; ok {
		status.Object["status"] = s
	}
	for name := range all {
		if name != "spec" && name != "metadata" {
			delete(all, name) // wrong
		}
	}
	for _, field := range []string{"resourceVersion", "generation", "managedFields"} {
		unstructured.RemoveNestedField(all, "metadata", field)
	}
	return status, &unstructured.Unstructured{Object: all}, nil
}
