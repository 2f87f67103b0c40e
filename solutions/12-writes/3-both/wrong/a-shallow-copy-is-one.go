// Misconception: a copy of the outer map is a copy.
// Caught by: TestBothAreSaved
// Message: Points to: the belief that what was read is the reader's own. It is the cache's, and all who read have the
// same one

//go:build wrong

package both

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"maps"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// halves are what each of the two requests may change. An unstructured object's content is its own, also below.
func halves(object client.Object) (status, rest *unstructured.Unstructured, err error) {
	all, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, nil, err
	}
	all = maps.Clone(all)
	status = &unstructured.Unstructured{Object: map[string]any{}}
	if s, ok := all["status"]; ok {
		status.Object["status"] = s
	}
	delete(all, "status")
	for _, field := range []string{"resourceVersion", "generation", "managedFields"} {
		unstructured.RemoveNestedField(all, "metadata", field)
	}
	return status, &unstructured.Unstructured{Object: all}, nil
}
