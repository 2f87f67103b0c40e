// Misconception: Patch of the object writes all that has changed, the status too.
// Caught by: TestBothAreSaved
// Message: Points to: the belief that one request takes all. What has a status subresource drops the status from all
// others

//go:build wrong

package both

import (
	"context"
	"reflect"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Save(ctx context.Context, over Writer, before, after client.Object) error {
	if err := check(before, after); err != nil {
		return err
	}
	wasStatus, wasRest, err := halves(before)
	if err != nil {
		return err
	}
	isStatus, isRest, err := halves(after)
	if err != nil {
		return err
	}
	answer, version := after, before.GetResourceVersion()
	if status, ok := isStatus.Object["status"]; ok {
		isRest.Object["status"] = status
	}
	if status, ok := wasStatus.Object["status"]; ok {
		wasRest.Object["status"] = status
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
