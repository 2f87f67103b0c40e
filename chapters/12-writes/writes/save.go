package writes

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Writer writes to the API server, and puts the answer into the object that it was given. Each client.Client is one.
type Writer interface {
	Patch(ctx context.Context, object client.Object, patch client.Patch, options ...client.PatchOption) error
	Status() client.SubResourceWriter
}

// Save writes what differs between before, an object as it was read, and after, the same object as a run has changed
// it. That is one request, or two, or none: there is none that writes both status and spec.
//
//   - The status comes first. What a run has seen or done can't be seen or done again; what it has decided it can
//     decide again, from an object that has that status. And whose last finalizer is taken away is gone, with its
//     status.
//   - Each request has a lock: the first the version of before, the second that of the first one's answer. So if
//     somebody else has written in between, the second is refused.
//   - If one fails, Save returns its error and sends nothing more. What is saved then is the status, or nothing.
//   - after becomes the last answer. If a request fails it stays as it is.
//
// The kind needs the subresource status, or the first request is answered with 404.
//
// What the API server alone writes is never sent, also if it differs: managedFields, the generation, a UID.
//
// Upstream's counterpart is sigs.k8s.io/controller-runtime/pkg/controller/controllerutil.CreateOrPatch, in
// controllerutil.go, which writes the spec first, and both without a lock.
func Save(ctx context.Context, over Writer, before, after client.Object) error {
	status, rest, err := differences(before, after)
	if err != nil {
		return err
	}
	answer := before // its version is the one that the next request is locked with
	if status != nil {
		toStatus := func(o client.Object, p client.Patch) error { return over.Status().Patch(ctx, o, p) }
		if answer, err = send(after, answer, Object{"status": status}, toStatus); err != nil {
			return fmt.Errorf("save the status: %w", err)
		}
	}
	if len(rest) > 0 {
		toRoot := func(o client.Object, p client.Patch) error { return over.Patch(ctx, o, p) }
		if answer, err = send(after, answer, rest, toRoot); err != nil {
			return fmt.Errorf("save what is not the status: %w", err)
		}
	}
	if answer != before {
		reflect.ValueOf(after).Elem().Set(reflect.ValueOf(answer).Elem())
	}
	return nil
}

// differences are what differs in the status, or nil, and what differs besides.
func differences(before, after client.Object) (status any, rest Object, err error) {
	if before.GetUID() != after.GetUID() || client.ObjectKeyFromObject(before) != client.ObjectKeyFromObject(after) {
		return nil, nil, fmt.Errorf("%s, UID %s, is another object than %s, UID %s: nothing was written",
			client.ObjectKeyFromObject(after), after.GetUID(), client.ObjectKeyFromObject(before), before.GetUID())
	}
	if before.GetResourceVersion() == "" {
		return nil, nil, fmt.Errorf("%s has no resourceVersion: an object is saved as it was read, and nothing was written",
			client.ObjectKeyFromObject(before))
	}
	was, err := content(before)
	if err != nil {
		return nil, nil, err
	}
	is, err := content(after)
	if err != nil {
		return nil, nil, err
	}
	patch := MergePatch(was, is)
	if metadata, ok := patch["metadata"].(Object); ok {
		for _, name := range serversOwn {
			delete(metadata, name)
		}
		if len(metadata) == 0 {
			delete(patch, "metadata")
		}
	}
	status, differs := patch["status"]
	delete(patch, "status")
	if differs && status == nil {
		status = Object(nil) // the whole status is taken away: a patch of null, which as an any is not nil
	}
	return status, patch, nil
}

// serversOwn is what the API server alone writes into metadata.
var serversOwn = []string{"resourceVersion", "generation", "uid", "creationTimestamp", "deletionTimestamp",
	"deletionGracePeriodSeconds", "managedFields", "selfLink"}

// send sends a locked merge patch for an object that has the version of latest, and returns the answer.
func send(object, latest client.Object, patch Object,
	over func(client.Object, client.Patch) error) (client.Object, error) {
	body, err := json.Marshal(locked(patch, latest.GetResourceVersion()))
	if err != nil {
		return nil, err
	}
	answer, ok := object.DeepCopyObject().(client.Object) // the answer takes its place, and object is the caller's
	if !ok {
		return nil, fmt.Errorf("%T: its copy is no object", object)
	}
	return answer, over(answer, client.RawPatch(types.MergePatchType, body))
}
