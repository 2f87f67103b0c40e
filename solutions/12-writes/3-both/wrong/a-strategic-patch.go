// Misconception: the strategic merge patch is the better one, and all kinds have it.
// Caught by: TestBothAreSaved
// Message: Points to: the belief that each kind has a strategic merge patch. Custom resources have none

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
	data, err := client.MergeFromWithOptions(was, client.MergeFromWithOptimisticLock{}).Data(is)
	return client.RawPatch(types.StrategicMergePatchType, data), err
}
