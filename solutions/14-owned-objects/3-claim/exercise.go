// Package claim is exercise 14.3: whose is a child?
//
// A run of a set's controller looks at all Processes of its namespace, each of which is somebody's child, or nobody's.
// If the set selects app=web:
//
//	app=web, controlled by the set      it is the set's
//	app=api, controlled by the set      release it
//	app=web, controlled by nobody       adopt it
//	all others                          leave it alone
//
// The run sees the set and the children as the cache has them, which may be late.
//
// Write Claim, stage by stage, from the standard library and what is imported here. docs/exercises.md says what holds
// for every exercise.
package claim

import (
	"context"
	"encoding/json"
	//solution:begin
	"errors"
	"fmt"
	"slices"
	"sync"
	//solution:end

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// API is what Claim may ask of the API server.
type API interface {
	// Live reads the set that has this name now, past the cache.
	Live(ctx context.Context) (*metav1.PartialObjectMetadata, error)
	// SetOwners sends [Patch]: a child's whole list of owner references.
	SetOwners(ctx context.Context, child *metav1.PartialObjectMetadata, references []metav1.OwnerReference) error
}

// Patch is what a SetOwners sends: a merge patch, since custom resources take no strategic one. It replaces the whole
// list. The API server refuses it if the child is another one of the name, or has changed since the cache saw it.
func Patch(child *metav1.PartialObjectMetadata, references []metav1.OwnerReference) (types.PatchType, []byte, error) {
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": child.UID, "resourceVersion": child.ResourceVersion, "ownerReferences": references,
	}})
	return types.MergePatchType, body, err
}

// gone says of an API's error that there is no such object any more.
func gone(err error) bool { return apierrors.IsNotFound(err) }

// controlledBy is the reference to a set that a child of it has.
func controlledBy(set *metav1.PartialObjectMetadata) metav1.OwnerReference {
	return *metav1.NewControllerRef(set, set.GroupVersionKind())
}

// Claim returns the set's children, and writes who becomes one and who no longer is.
//
// Stage 1: mine, or not
//
//   - A child is the set's if its controller, the owner reference with controller: true, has the set's UID.
//   - Claim returns the set's children that the selector matches, also those that are being deleted.
//
// Stage 2: release
//
//   - A child of the set's that the selector does not match is released: SetOwners gets its references, without the
//     set's.
//   - A SetOwners that finds the child gone is no failure.
//   - After any other failure Claim goes on with the other children. It returns the error beside the set's children.
//   - While the set is being deleted, nothing is written.
//
// Stage 3: adopt, after a look past the cache
//
//   - A child without a controller, an orphan, is adopted if the selector matches it and it is not being deleted:
//     SetOwners gets its references and the set's. From then on it is the set's.
//   - Live is called once, before the first adoption of a run, and not at all where there is none.
//   - Unless Live returns a set that has this UID and is not being deleted, no child is adopted. Claim does what else
//     there is to do, and returns an error.
func Claim(ctx context.Context, api API, set *metav1.PartialObjectMetadata, selector labels.Selector,
	children []*metav1.PartialObjectMetadata) (mine []*metav1.PartialObjectMetadata, err error) {
	//solution:begin
	//todo: decide for each child
	//stub: return nil, nil
	mayAdopt := sync.OnceValue(func() error { return stillThere(ctx, api, set) })
	var failures []error
	for _, child := range children {
		controller := metav1.GetControllerOfNoCopy(child)
		matches := selector.Matches(labels.Set(child.Labels))
		switch {
		case controller != nil && controller.UID != set.UID: // somebody else's
		case controller != nil && matches:
			mine = append(mine, child)
		case set.DeletionTimestamp != nil: // what becomes of children is the garbage collector's
		case controller != nil:
			failures = append(failures, release(ctx, api, set, child))
		case matches && child.DeletionTimestamp == nil:
			adopted, err := adopt(ctx, api, set, child, mayAdopt)
			if adopted {
				mine = append(mine, child)
			}
			failures = append(failures, err)
		}
	}
	return mine, errors.Join(failures...)
	//solution:end
}

//solution:begin

// release takes the reference to the set off a child. The list is the cache's, so it is not cut where it is.
func release(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata) error {
	others := slices.DeleteFunc(slices.Clone(child.OwnerReferences), func(reference metav1.OwnerReference) bool {
		return reference.UID == set.UID
	})
	if err := api.SetOwners(ctx, child, others); err != nil && !gone(err) {
		return fmt.Errorf("release %s: %w", child.Name, err)
	}
	return nil
}

// adopt adds the reference to the set. That the set is gone is a failure, and that the child is gone is none.
func adopt(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata, may func() error) (bool, error) {
	if err := may(); err != nil {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	err := api.SetOwners(ctx, child, append(slices.Clone(child.OwnerReferences), controlledBy(set)))
	if err != nil && !gone(err) {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	return err == nil, nil
}

// stillThere compares the cache's set with the live one.
func stillThere(ctx context.Context, api API, set *metav1.PartialObjectMetadata) error {
	live, err := api.Live(ctx)
	switch {
	case err != nil:
		return err
	case live.UID != set.UID:
		return fmt.Errorf("the set %s was made anew: its UID is %s, and the cache has %s", set.Name, live.UID, set.UID)
	case live.DeletionTimestamp != nil:
		return fmt.Errorf("the set %s is being deleted", set.Name)
	}
	return nil
}

//solution:end
