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
	// TODO: decide for each child
	return nil, nil
}
