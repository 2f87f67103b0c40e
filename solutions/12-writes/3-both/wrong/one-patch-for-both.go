// Misconception: one patch that is computed once can be sent to both: each takes what is its own.
// Caught by: TestBothAreSaved
// Message: Happened: sent were: PATCH status at "41" {"spec":{"size":"large"},"status":{"ready":3}}, then PATCH object
// at "41" {"spec":{"size":"large"},"status":{"ready":3}}

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
	isStatus, _, err := halves(after)
	if err != nil {
		return err
	}
	answer, _ := after, wasRest
	data, err := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}).Data(after)
	if err != nil {
		return err
	}
	patch := client.RawPatch(types.MergePatchType, data) // wrong: each request has a change of its own
	if len(wasStatus.Object)+len(isStatus.Object) > 0 {
		answer = after.DeepCopyObject().(client.Object)
		if err := over.Status().Patch(ctx, answer, patch); err != nil {
			return err
		}
	}
	answer = after.DeepCopyObject().(client.Object)
	if err := over.Patch(ctx, answer, patch); err != nil {
		return err
	}
	reflect.ValueOf(after).Elem().Set(reflect.ValueOf(answer).Elem())
	return nil
}
