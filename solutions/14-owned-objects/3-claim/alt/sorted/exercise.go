// Package claim is another right solution of exercise 14.3: heaps of children, one after the other.
package claim

import (
	"context"
	"encoding/json"
	"errors"

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

// Claim returns the children that are the set's: first it sorts them, and then it writes.
func Claim(ctx context.Context, api API, set *metav1.PartialObjectMetadata, selector labels.Selector,
	children []*metav1.PartialObjectMetadata) (mine []*metav1.PartialObjectMetadata, err error) {
	var strays, orphans []*metav1.PartialObjectMetadata
	for _, child := range children {
		own, free := whose(child, set.UID)
		matches := selector.Matches(labels.Set(child.GetLabels()))
		if own && matches {
			mine = append(mine, child)
		}
		if own && !matches {
			strays = append(strays, child)
		}
		if free && matches && child.GetDeletionTimestamp() == nil {
			orphans = append(orphans, child)
		}
	}
	if set.GetDeletionTimestamp() != nil {
		return mine, nil
	}
	for _, stray := range strays {
		var rest []metav1.OwnerReference
		for _, reference := range stray.OwnerReferences {
			if reference.UID != set.UID {
				rest = append(rest, reference)
			}
		}
		if failure := api.SetOwners(ctx, stray, rest); failure != nil && !gone(failure) {
			err = errors.Join(err, failure)
		}
	}
	if len(orphans) == 0 {
		return mine, err
	}
	live, failure := api.Live(ctx)
	if failure != nil {
		return mine, errors.Join(err, failure)
	}
	if live.UID != set.UID || live.DeletionTimestamp != nil {
		return mine, errors.Join(err, errors.New("the set that the cache has is gone, or is about to go"))
	}
	for _, orphan := range orphans {
		all := append([]metav1.OwnerReference{controlledBy(set)}, orphan.OwnerReferences...)
		failure := api.SetOwners(ctx, orphan, all)
		if failure == nil {
			mine = append(mine, orphan)
		} else if !gone(failure) {
			err = errors.Join(err, failure)
		}
	}
	return mine, err
}

// whose says whether the set controls a child, and whether nobody does.
func whose(child *metav1.PartialObjectMetadata, set types.UID) (own, free bool) {
	for _, reference := range child.GetOwnerReferences() {
		if reference.Controller != nil && *reference.Controller {
			return reference.UID == set, false
		}
	}
	return false, true
}
