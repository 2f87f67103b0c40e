// Misconception: after a refusal the request is sent again, a few times.
// Caught by: TestTheFirstFailureIsTheLastRequest
// Message: Points to: the belief that a request that was refused is to be sent again. What it says was decided from
// what is no longer so, or was refused for good

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
	if patch, err := change(wasStatus, isStatus, version); err != nil {
		return err
	} else if patch != nil {
		answer = after.DeepCopyObject().(client.Object) // the answer has not the other change
		if err := again(func() error { return over.Status().Patch(ctx, answer, patch) }); err != nil {
			return err
		}
		version = answer.GetResourceVersion()
	}
	if patch, err := change(wasRest, isRest, version); err != nil {
		return err
	} else if patch != nil {
		answer = after.DeepCopyObject().(client.Object) // if it fails, after is to be what it was
		if err := again(func() error { return over.Patch(ctx, answer, patch) }); err != nil {
			return err
		}
	}
	reflect.ValueOf(after).Elem().Set(reflect.ValueOf(answer).Elem())
	return nil
}

func again(send func() error) (err error) {
	for range 3 {
		if err = send(); err == nil {
			break
		}
	}
	return err
}
