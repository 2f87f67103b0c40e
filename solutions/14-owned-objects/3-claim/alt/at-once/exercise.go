// Package claim is another right solution of exercise 14.3: the children are written side by side.
package claim

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

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

// Claim returns the children that are the set's. Each child has a goroutine.
func Claim(ctx context.Context, api API, set *metav1.PartialObjectMetadata, selector labels.Selector,
	children []*metav1.PartialObjectMetadata) (mine []*metav1.PartialObjectMetadata, err error) {
	var group sync.WaitGroup
	failures, claimed := make([]error, len(children)), make([]bool, len(children))
	live := sync.OnceValue(func() error {
		now, err := api.Live(ctx)
		if err == nil && (now.UID != set.UID || now.DeletionTimestamp != nil) {
			err = errors.New("not the set that the cache has")
		}
		return err
	})
	for i, child := range children {
		group.Go(func() {
			claimed[i], failures[i] = claim(ctx, api, set, selector, child, live)
		})
	}
	group.Wait()
	for i, child := range children {
		if claimed[i] {
			mine = append(mine, child)
		}
	}
	return mine, errors.Join(failures...)
}

// claim looks at one child.
func claim(ctx context.Context, api API, set *metav1.PartialObjectMetadata, selector labels.Selector,
	child *metav1.PartialObjectMetadata, live func() error) (bool, error) {
	var others []metav1.OwnerReference
	isMine, isFree := false, true
	for _, r := range child.OwnerReferences {
		controls := r.Controller != nil && *r.Controller
		if controls {
			isFree, isMine = false, r.UID == set.UID
		}
		if !controls || r.UID != set.UID {
			others = append(others, r)
		}
	}
	wanted := selector.Matches(labels.Set(child.Labels))
	if isMine && wanted {
		return true, nil
	}
	if set.DeletionTimestamp != nil || !isMine && (!isFree || !wanted || child.DeletionTimestamp != nil) {
		return false, nil
	}
	if isFree {
		if err := live(); err != nil {
			return false, err
		}
		others = append(others, controlledBy(set))
	}
	err := api.SetOwners(ctx, child, others)
	if gone(err) {
		return false, nil
	}
	return isFree && err == nil, err
}
