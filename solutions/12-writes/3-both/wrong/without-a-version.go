// Breaks: Before anything is sent, Save returns an error if before has no resourceVersion
// Caught by: TestWhatIsNotSent
// Message: Happened: returned was <nil>, and sent were: PATCH status without a version {"status":{"ready":3}}, then
// PATCH object at "3" {"spec":{"size":"large"}}

//go:build wrong

package both

import (
	"fmt"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// check says what keeps before and after from being one object that was read.
func check(before, after client.Object) error {
	if client.ObjectKeyFromObject(before) != client.ObjectKeyFromObject(after) || before.GetUID() != after.GetUID() {
		return fmt.Errorf("%s and %s are two objects", before.GetName(), after.GetName())
	}
	return nil
}

// change is the merge patch that makes is of was, with a lock. It is nil if they are the same.
func change(was, is *unstructured.Unstructured, version string) (client.Patch, error) {
	if data, err := client.MergeFrom(was).Data(is); err != nil || string(data) == "{}" {
		return nil, err
	}
	if version == "" {
		data, err := client.MergeFrom(was).Data(is)
		return client.RawPatch(types.MergePatchType, data), err // wrong
	}
	was.SetResourceVersion(version)
	data, err := client.MergeFromWithOptions(was, client.MergeFromWithOptimisticLock{}).Data(is)
	return client.RawPatch(types.MergePatchType, data), err
}
