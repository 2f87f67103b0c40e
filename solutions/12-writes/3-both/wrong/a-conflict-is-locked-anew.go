// Misconception: after a refusal of the second request the lock is what has to go.
// Caught by: TestTheFirstFailureIsTheLastRequest
// Message: Points to: the belief that a request that was refused is to be sent again. What it says was decided from
// what is no longer so, or was refused for good

//go:build wrong

package both

import (
	"context"
	"k8s.io/apimachinery/pkg/types"
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
			isRest.SetResourceVersion("")
			data, _ := client.MergeFrom(wasRest).Data(isRest)
			return over.Patch(ctx, after, client.RawPatch(types.MergePatchType, data))
		}
	}
	reflect.ValueOf(after).Elem().Set(reflect.ValueOf(answer).Elem())
	return nil
}
