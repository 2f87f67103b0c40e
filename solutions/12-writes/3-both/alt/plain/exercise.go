// Package both saves an object whose status and whose other fields have changed in one run of a controller. No request
// takes both: the status has a subresource of its own.
package both

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Writer writes to the API server. It is a part of client.Client, and does what that does: the answer to a request
// takes the place of all that the object held with which it was sent. After an error the object is what it was.
type Writer interface {
	Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error
	Status() client.SubResourceWriter
}

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
	version := before.GetResourceVersion()
	switch {
	case version == "":
		return errors.New("the object was not read")
	case before.GetUID() != after.GetUID(), before.GetName() != after.GetName(),
		before.GetNamespace() != after.GetNamespace():
		return fmt.Errorf("%s/%s is another object", after.GetNamespace(), after.GetName())
	}
	patch, err := compare(before, after)
	if err != nil {
		return err
	}
	observed := map[string]any{}
	if status, ok := patch["status"]; ok {
		observed["status"] = status
		delete(patch, "status")
	}
	target := after.DeepCopyObject().(client.Object)
	if len(observed) > 0 {
		if err := over.Status().Patch(ctx, target, locked(observed, version)); err != nil {
			return fmt.Errorf("the status of %s: %w", after.GetName(), err)
		}
		version = target.GetResourceVersion()
	}
	if len(patch) > 0 {
		if err := over.Patch(ctx, target, locked(patch, version)); err != nil {
			return fmt.Errorf("%s: %w", after.GetName(), err)
		}
	}
	if len(observed)+len(patch) > 0 {
		reflect.ValueOf(after).Elem().Set(reflect.ValueOf(target).Elem())
	}
	return nil
}

// compare is the merge patch of the whole, without what the server keeps.
func compare(before, after client.Object) (map[string]any, error) {
	was, err := decode(before)
	if err != nil {
		return nil, err
	}
	is, err := decode(after)
	if err != nil {
		return nil, err
	}
	return walk(was, is), nil
}

func decode(o client.Object) (all map[string]any, err error) {
	data, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil {
		return nil, err
	}
	if metadata, ok := all["metadata"].(map[string]any); ok {
		delete(metadata, "resourceVersion")
		delete(metadata, "generation")
		delete(metadata, "managedFields")
	}
	return all, nil
}

func walk(was, is map[string]any) map[string]any {
	patch := map[string]any{}
	for name := range was {
		if _, ok := is[name]; !ok {
			patch[name] = nil
		}
	}
	for name, value := range is {
		a, isMap := was[name].(map[string]any)
		b, willBe := value.(map[string]any)
		if isMap && willBe {
			if below := walk(a, b); len(below) > 0 {
				patch[name] = below
			}
		} else if old, ok := was[name]; !ok || !reflect.DeepEqual(old, value) {
			patch[name] = value
		}
	}
	return patch
}

func locked(patch map[string]any, version string) client.Patch {
	metadata, ok := patch["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		patch["metadata"] = metadata
	}
	metadata["resourceVersion"] = version
	data, _ := json.Marshal(patch)
	return client.RawPatch(types.MergePatchType, data)
}
