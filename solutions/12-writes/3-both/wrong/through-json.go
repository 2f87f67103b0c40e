// Breaks: If nothing was sent, after is as it was.
// Caught by: TestAfterIsAsItWas
// Message: Points to: the belief that two objects with one JSON are the same. An empty list is no nil, and a time has
// nanoseconds
// Removes: halves, change

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

// Save writes what a run has changed in an object: the status first, and then the rest.
func Save(ctx context.Context, over Writer, before, after client.Object) error {
	if err := check(before, after); err != nil {
		return err
	}
	was, err := document(before)
	if err != nil {
		return fmt.Errorf("before: %w", err)
	}
	is, err := document(after)
	if err != nil {
		return fmt.Errorf("after: %w", err)
	}

	status, rest := changes(was, is)

	// A copy through JSON shares nothing with after, and so nothing with before.
	obj, err := duplicate(after)
	if err != nil {
		return fmt.Errorf("after: %w", err)
	}
	version := before.GetResourceVersion()
	if len(status) > 0 {
		patch, err := locked(status, version)
		if err != nil {
			return err
		}
		if err := over.Status().Patch(ctx, obj, patch); err != nil {
			return fmt.Errorf("save the status of %s: %w", after.GetName(), err)
		}
		version = obj.GetResourceVersion()
	}
	if len(rest) > 0 {
		patch, err := locked(rest, version)
		if err != nil {
			return err
		}
		if err := over.Patch(ctx, obj, patch); err != nil {
			return fmt.Errorf("save %s: %w", after.GetName(), err)
		}
	}
	reflect.ValueOf(after).Elem().Set(reflect.ValueOf(obj).Elem())
	return nil
}

// check says whether before and after can be two states of one object.
func check(before, after client.Object) error {
	switch {
	case before.GetResourceVersion() == "":
		return errors.New("before has no resourceVersion")
	case before.GetNamespace() != after.GetNamespace():
		return fmt.Errorf("namespace %q is not %q", after.GetNamespace(), before.GetNamespace())
	case before.GetName() != after.GetName():
		return fmt.Errorf("name %q is not %q", after.GetName(), before.GetName())
	case before.GetUID() != after.GetUID():
		return fmt.Errorf("UID %q is not %q", after.GetUID(), before.GetUID())
	}
	return nil
}

// document is the JSON of an object, as a tree that shares nothing with it.
func document(obj client.Object) (map[string]any, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	doc := map[string]any{}
	if err := decoder.Decode(&doc); err != nil {
		return nil, err
	}
	return doc, nil
}

// duplicate returns a copy of an object that shares nothing with it.
func duplicate(obj client.Object) (client.Object, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	double := reflect.New(reflect.TypeOf(obj).Elem()).Interface().(client.Object)
	if err := json.Unmarshal(data, double); err != nil {
		return nil, err
	}
	return double, nil
}

// changes returns the change of the status and the change of the rest. One without a change is empty.
func changes(was, is map[string]any) (status, rest map[string]any) {
	for _, doc := range []map[string]any{was, is} {
		metadata, ok := doc["metadata"].(map[string]any)
		if !ok {
			metadata = map[string]any{}
			doc["metadata"] = metadata
		}
		delete(metadata, "resourceVersion")
		delete(metadata, "generation")
		delete(metadata, "managedFields")
	}
	rest = diff(was, is)
	if value, ok := rest["status"]; ok {
		status = map[string]any{"status": value}
		delete(rest, "status")
	}
	return status, rest
}

// diff is the merge patch that makes is of was.
func diff(was, is map[string]any) map[string]any {
	patch := map[string]any{}
	for key := range was {
		if _, ok := is[key]; !ok {
			patch[key] = nil
		}
	}
	for key, value := range is {
		old, ok := was[key]
		if ok && reflect.DeepEqual(old, value) {
			continue
		}
		oldObject, ok1 := old.(map[string]any)
		newObject, ok2 := value.(map[string]any)
		if ok1 && ok2 {
			patch[key] = diff(oldObject, newObject)
		} else {
			patch[key] = value
		}
	}
	return patch
}

// locked is the change as a patch that holds only for one resourceVersion.
func locked(change map[string]any, version string) (client.Patch, error) {
	metadata, ok := change["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		change["metadata"] = metadata
	}
	metadata["resourceVersion"] = version
	data, err := json.Marshal(change)
	if err != nil {
		return nil, err
	}
	return client.RawPatch(types.MergePatchType, data), nil
}
