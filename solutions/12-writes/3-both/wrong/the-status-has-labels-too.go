// Breaks: It holds the change of its own part, metadata.resourceVersion, and nothing else.
// Caught by: TestBothAreSaved
// Message: Happened: sent were: PATCH status at "41"
// {"metadata":{"labels":{"team":null,"tier":"front"}},"status":{"readyReplicas":2}}, then PATCH object at "45"
// {"metadata":{"labels":{"team":null,"tier":"front"}}}
// Base: alt/plain

//go:build wrong

package both

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

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
	if metadata, ok := patch["metadata"]; ok && len(observed) > 0 {
		observed["metadata"] = metadata // wrong
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
