// Breaks: If nothing was sent, after is as it was.
// Caught by: TestAfterIsAsItWas
// Message: Points to: the belief that two objects with one JSON are the same. An empty list is no nil, and a time has
// nanoseconds

//go:build wrong

package both

import (
	"context"
	"encoding/json"
	"reflect"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Save writes what a run has changed in an object. before is the object as it was read, and after is the same object
// as it is to be. Both are pointers to one struct type of Go with a status, as *appsv1.Deployment is, or both are an
// *unstructured.Unstructured. Their kind has a status subresource. apiVersion and kind are the same in both.
//
// What has changed is what differs between the JSON of before and the JSON of after. Neither has a null in it, or an
// integer that no int64 holds.
//
//   - The status is the object's field status, with all that is below it. The rest is every other field of the object.
//     A field that has this name further down belongs to what it is in.
//   - What differs in metadata.resourceVersion, metadata.generation and metadata.managedFields has not changed: these
//     are the server's. Fields of these names elsewhere are as all others.
//
// What is sent:
//
//   - If the status has changed, one request to the status subresource. If the rest has changed, one to the object. So
//     there are two requests, or one, or none.
//   - Of two, that for the status is first. What was observed may not be there to be observed again, while what was
//     decided can be decided again. And an object that loses its last finalizer may be gone, with its status.
//   - Each is a merge patch, of types.MergePatchType, and has no options.
//   - It holds the change of its own part, metadata.resourceVersion, and nothing else. As RFC 7396 has it, what is
//     gone is null, a list is there as a whole if anything in it has changed, and of an object there are only the
//     fields that have changed. A number has all its digits.
//   - The resourceVersion is a lock: the server refuses the request if the object has another one. In the first
//     request it is that of before, whatever after has. In the second it is that of the first one's answer, since the
//     first has moved it.
//
// How it ends:
//
//   - If all that was sent has succeeded, Save returns no error, and after is the answer to the last request. If
//     nothing was sent, after is as it was.
//   - A request that fails is the last one, whatever its error is. Nothing is sent again: the next run reads what
//     there is, and decides from that. Save returns the error, bare or wrapped, so that errors.Is and errors.As find
//     it. after is as it was before the call, also if the request that failed was the second.
//   - Before anything is sent, Save returns an error if before has no resourceVersion, or if before and after differ
//     in namespace, name or UID. This is so even if nothing else has changed. after is as it was.
//
// How it is done:
//
//   - before is the cache's: nothing of it changes, not for a moment. after may share maps, slices and pointers with
//     it.
//   - The Writer gets ctx, or one that is made from it and ends when it does. Save waits for nothing but the Writer,
//     and starts nothing that goes on after it.
//   - It may be called for several objects at one time, and several times with the same before. None waits for another.
func Save(ctx context.Context, over Writer, before, after client.Object) error {
	//solution:begin
	//todo: find what has changed in the status and in the rest, and save the one and then the other
	//stub: _, _, _ = unstructured.Unstructured{}, runtime.DefaultUnstructuredConverter, types.MergePatchType
	//stub: return fmt.Errorf("nobody saves %s yet", after.GetName())
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
	answer := reflect.New(reflect.TypeOf(after).Elem()).Interface().(client.Object)
	version := before.GetResourceVersion()
	if data, err := json.Marshal(after); err != nil {
		return err
	} else if err := json.Unmarshal(data, answer); err != nil {
		return err
	}
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
	//solution:end
}
