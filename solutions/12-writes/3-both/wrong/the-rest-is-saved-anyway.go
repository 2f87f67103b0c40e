// Misconception: what failed for the status need not keep the rest from being saved.
// Caught by: TestTheFirstFailureIsTheLastRequest
// Message: Happened: sent were: PATCH status at "41" {"status":{"ready":3}}, then PATCH object at "41"
// {"spec":{"size":"large"}}

//go:build wrong

package both

import (
	"context"
	"errors"
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
	var failed error
	answer, version := after, before.GetResourceVersion()
	if patch, err := change(wasStatus, isStatus, version); err != nil {
		return err
	} else if patch != nil {
		answer = after.DeepCopyObject().(client.Object) // the answer has not the other change
		if err := over.Status().Patch(ctx, answer, patch); err != nil {
			failed, answer = err, after // wrong: it goes on
		}
		version = answer.GetResourceVersion()
	}
	if patch, err := change(wasRest, isRest, version); err != nil {
		return err
	} else if patch != nil {
		answer = after.DeepCopyObject().(client.Object) // if it fails, after is to be what it was
		if err := over.Patch(ctx, answer, patch); err != nil {
			return errors.Join(failed, err)
		}
	}
	reflect.ValueOf(after).Elem().Set(reflect.ValueOf(answer).Elem())
	return failed
}
