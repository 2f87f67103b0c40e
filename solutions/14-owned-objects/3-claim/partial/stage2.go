// What is the set's and does not match loses its reference.

//go:build partial

package claim

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

func Claim(ctx context.Context, api API, set *metav1.PartialObjectMetadata, selector labels.Selector,
	children []*metav1.PartialObjectMetadata) (mine []*metav1.PartialObjectMetadata, err error) {
	var failures []error
	for _, child := range children {
		controller := metav1.GetControllerOf(child)
		if controller == nil || controller.UID != set.UID {
			continue
		}
		if selector.Matches(labels.Set(child.Labels)) {
			mine = append(mine, child)
		} else if set.DeletionTimestamp == nil {
			failures = append(failures, release(ctx, api, set, child))
		}
	}
	return mine, errors.Join(failures...)
}

// release takes the reference to the set off a child, and leaves the others.
func release(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata) error {
	var others []metav1.OwnerReference
	for _, reference := range child.OwnerReferences {
		if reference.UID != set.UID {
			others = append(others, reference)
		}
	}
	if err := api.SetOwners(ctx, child, others); err != nil && !gone(err) {
		return err
	}
	return nil
}
