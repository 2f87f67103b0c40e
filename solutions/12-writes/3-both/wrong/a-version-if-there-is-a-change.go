// Breaks: This is so even if nothing else has changed.
// Caught by: TestWhatIsNotSent
// Message: Happened: returned was <nil>, and nothing was sent

//go:build wrong

package both

import (
	"context"
	"fmt"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"reflect"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Save(ctx context.Context, over Writer, before, after client.Object) error {
	wasStatus, wasRest, err := halves(before)
	if err != nil {
		return err
	}
	isStatus, isRest, err := halves(after)
	if err != nil {
		return err
	}
	if err := check(before, after); err != nil && before.GetResourceVersion() != "" {
		return err
	}
	answer, version := after, before.GetResourceVersion()
	if patch, err := change(wasStatus, isStatus, version); err != nil {
		return err
	} else if patch != nil {
		answer = after.DeepCopyObject().(client.Object) // the answer has not the other change
		if err := over.Status().Patch(ctx, answer, patch); err != nil {
			return err
		}
		version = answer.GetResourceVersion()
	}
	if patch, err := change(wasRest, isRest, version); err != nil {
		return err
	} else if patch != nil {
		answer = after.DeepCopyObject().(client.Object) // if it fails, after is to be what it was
		if err := over.Patch(ctx, answer, patch); err != nil {
			return err
		}
	}
	reflect.ValueOf(after).Elem().Set(reflect.ValueOf(answer).Elem())
	return nil
}

// change is the merge patch that makes is of was, with a lock. It is nil if they are the same.
func change(was, is *unstructured.Unstructured, version string) (client.Patch, error) {
	if data, err := client.MergeFrom(was).Data(is); err != nil || string(data) == "{}" {
		return nil, err
	}
	if version == "" {
		return nil, fmt.Errorf("it has no resourceVersion")
	}
	was.SetResourceVersion(version)
	data, err := client.MergeFromWithOptions(was, client.MergeFromWithOptimisticLock{}).Data(is)
	return client.RawPatch(types.MergePatchType, data), err
}
