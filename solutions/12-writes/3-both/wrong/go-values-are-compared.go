// Misconception: two objects differ if reflect.DeepEqual says so.
// Caught by: TestJSONIsWhatCounts
// Message: Points to: the belief that a patch without a change is nothing. It is a request, and one with a lock can be
// refused

//go:build wrong

package both

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"reflect"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// change is the merge patch that makes is of was, with a lock. It is nil if they are the same.
func change(was, is *unstructured.Unstructured, version string) (client.Patch, error) {
	if reflect.DeepEqual(was.Object, is.Object) {
		return nil, nil
	}
	was.SetResourceVersion(version)
	data, err := client.MergeFromWithOptions(was, client.MergeFromWithOptimisticLock{}).Data(is)
	return client.RawPatch(types.MergePatchType, data), err
}
