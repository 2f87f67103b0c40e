// Breaks: What differs in metadata.resourceVersion, metadata.generation and metadata.managedFields has not changed
// Caught by: TestWhatTheServerKeeps
// Message: Happened: sent were: PATCH status at "41" {"status":{"ready":3}}, then PATCH object at "45"
// {"metadata":{"generation":99},"spec":{"size":"large"}}

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
	delete(all, "status")
	for _, field := range []string{"resourceVersion", "managedFields"} {
		unstructured.RemoveNestedField(all, "metadata", field)
	}
	return status, &unstructured.Unstructured{Object: all}, nil
}
