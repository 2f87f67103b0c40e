// Misconception: what is sent stays what it is, so after can be sent twice.
// Caught by: TestBothAreSaved
// Message: Points to: the belief that a request leaves the object with which it is sent as it is. The answer takes the
// place of it, and the other change is not in that
// Removes: assign
// Base: alt/typed

//go:build wrong

package both

import (
	"context"
	"errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Save(ctx context.Context, over Writer, before, after client.Object) error {
	if before.GetResourceVersion() == "" || before.GetUID() != after.GetUID() ||
		client.ObjectKeyFromObject(before) != client.ObjectKeyFromObject(after) {
		return errors.New("before is not what after was when it was read")
	}
	was, is := clone(before), clone(after)
	is.SetResourceVersion(was.GetResourceVersion())
	is.SetGeneration(was.GetGeneration())
	is.SetManagedFields(was.GetManagedFields())
	observed := clone(was) // with the new status, and nothing else that is new
	setStatus(observed, is)
	if data, err := client.MergeFrom(was).Data(observed); err != nil {
		return err
	} else if string(data) != "{}" {
		patch, err := fixed(was, observed)
		if err != nil {
			return err
		}
		if err := over.Status().Patch(ctx, after, patch); err != nil {
			return err
		}
		observed.SetResourceVersion(after.GetResourceVersion())
		is = clone(after) // wrong: it is the answer
		is.SetGeneration(was.GetGeneration())
		is.SetManagedFields(was.GetManagedFields())
		setStatus(is, observed)
	}
	is.SetResourceVersion(observed.GetResourceVersion())
	patch, err := fixed(observed, is)
	if err != nil {
		return err
	}
	return over.Patch(ctx, after, patch) // the client puts the answer into it, if there is one
}
