// Breaks: It holds the change of its own part, metadata.resourceVersion, and nothing else.
// Caught by: TestBothAreSaved
// Message: Happened: sent were: PATCH status at "41" {"apiVersion":"shop.example.com/v1","status":{"ready":3}}, then
// PATCH object at "45" {"spec":{"size":"large"}}

//go:build wrong

package both

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// change is the merge patch that makes is of was, with a lock. It is nil if they are the same.
func change(was, is *unstructured.Unstructured, version string) (client.Patch, error) {
	if data, err := client.MergeFrom(was).Data(is); err != nil || string(data) == "{}" {
		return nil, err
	}
	was.SetResourceVersion(version)
	is.SetAPIVersion("shop.example.com/v1") // wrong
	data, err := client.MergeFromWithOptions(was, client.MergeFromWithOptimisticLock{}).Data(is)
	return client.RawPatch(types.MergePatchType, data), err
}
