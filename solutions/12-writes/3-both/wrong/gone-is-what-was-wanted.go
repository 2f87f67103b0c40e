// Breaks: A request that fails is the last one, whatever its error is.
// Caught by: TestGoneIsAFailure
// Message: Happened: it has returned none
// Removes: check, halves, change

//go:build wrong

package both

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"k8s.io/apimachinery/pkg/types"
	"reflect"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Save writes what a run has changed in an object. before is the object as it was read, and after is the same object
// as it is to be. Both are pointers to one struct type of Go with a status, as *appsv1.Deployment is, or both are an
// *unstructured.Unstructured. Their kind has a status subresource. apiVersion and kind are the same in both.
//
// What has changed is what differs between the JSON of before and the JSON of after. Neither has a null in it.
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
	if before.GetResourceVersion() == "" {
		return errors.New("the object as it was read has no resourceVersion")
	}
	if before.GetNamespace() != after.GetNamespace() || before.GetName() != after.GetName() ||
		before.GetUID() != after.GetUID() {
		return fmt.Errorf("%s/%s (%s) and %s/%s (%s) are not the same object",
			before.GetNamespace(), before.GetName(), before.GetUID(), after.GetNamespace(), after.GetName(),
			after.GetUID())
	}
	oldStatus, oldRest, err := parts(before)
	if err != nil {
		return err
	}
	newStatus, newRest, err := parts(after)
	if err != nil {
		return err
	}
	status := diff(oldStatus, newStatus)
	rest := diff(oldRest, newRest)
	if len(status) == 0 && len(rest) == 0 {
		return nil
	}

	// The requests are made with a copy, so that after is what it was if one of them fails.
	sent := after.DeepCopyObject().(client.Object)
	version := before.GetResourceVersion()
	if len(status) > 0 {
		patch, err := locked(status, version)
		if err != nil {
			return err
		}
		if err := over.Status().Patch(ctx, sent, patch); err != nil {
			return fmt.Errorf("saving the status of %s: %w", after.GetName(), err)
		}
		version = sent.GetResourceVersion()
	}
	if len(rest) > 0 {
		patch, err := locked(rest, version)
		if err != nil {
			return err
		}
		if err := over.Patch(ctx, sent, patch); err != nil {
			// An object that is being deleted goes with its last finalizer. If it is gone already, then that is what
			// was to be reached.
			released := before.GetDeletionTimestamp() != nil && len(after.GetFinalizers()) == 0
			if !released || client.IgnoreNotFound(err) != nil {
				return fmt.Errorf("saving %s: %w", after.GetName(), err)
			}
			return nil
		}
	}
	reflect.ValueOf(after).Elem().Set(reflect.ValueOf(sent).Elem())
	return nil
}

// parts returns the JSON of an object in two parts: its status, and the rest without what is the server's.
func parts(obj client.Object) (status, rest map[string]any, err error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&rest); err != nil {
		return nil, nil, err
	}
	status = map[string]any{}
	if s, ok := rest["status"]; ok {
		status["status"] = s
		delete(rest, "status")
	}
	if meta, ok := rest["metadata"].(map[string]any); ok {
		delete(meta, "resourceVersion")
		delete(meta, "generation")
		delete(meta, "managedFields")
	}
	return status, rest, nil
}

// diff returns the merge patch of RFC 7396 that makes newer of older. It is empty if they are equal.
func diff(older, newer map[string]any) map[string]any {
	patch := map[string]any{}
	for key, value := range newer {
		was, ok := older[key]
		if ok && reflect.DeepEqual(was, value) {
			continue
		}
		wasMap, ok1 := was.(map[string]any)
		valueMap, ok2 := value.(map[string]any)
		if ok1 && ok2 {
			patch[key] = diff(wasMap, valueMap)
			continue
		}
		patch[key] = value
	}
	for key := range older {
		if _, ok := newer[key]; !ok {
			patch[key] = nil
		}
	}
	return patch
}

// locked returns the request for a change: the server refuses it if the object has another version.
func locked(change map[string]any, version string) (client.Patch, error) {
	meta, ok := change["metadata"].(map[string]any)
	if !ok {
		meta = map[string]any{}
		change["metadata"] = meta
	}
	meta["resourceVersion"] = version
	data, err := json.Marshal(change)
	if err != nil {
		return nil, err
	}
	return client.RawPatch(types.MergePatchType, data), nil
}
