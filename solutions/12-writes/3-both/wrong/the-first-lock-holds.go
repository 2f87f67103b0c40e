// Misconception: nobody writes between the two requests, so the lock of the first is enough.
// Caught by: TestBothAreSaved
// Message: Points to: the belief that the lock of the first request holds for the second. Somebody may have written in
// between

//go:build wrong

package both

import (
	"context"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
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
		if err := over.Patch(ctx, answer, free(wasRest, isRest)); err != nil {
			return err
		}
	}
	reflect.ValueOf(after).Elem().Set(reflect.ValueOf(answer).Elem())
	return nil
}

func free(was, is *unstructured.Unstructured) client.Patch {
	was.SetResourceVersion("")
	data, _ := client.MergeFrom(was).Data(is)
	return client.RawPatch(types.MergePatchType, data) // wrong: without a lock
}
