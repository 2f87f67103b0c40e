// Misconception: releases are tried until one fails.
// Stage: 2

//go:build wrong

package claim

import (
	"context"
	"errors"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

func Claim(ctx context.Context, api API, set *metav1.PartialObjectMetadata, selector labels.Selector,
	children []*metav1.PartialObjectMetadata) (mine []*metav1.PartialObjectMetadata, err error) {
	mayAdopt := sync.OnceValue(func() error { return stillThere(ctx, api, set) })
	var failures []error
	failed := false
	for _, child := range children {
		controller := metav1.GetControllerOfNoCopy(child)
		matches := selector.Matches(labels.Set(child.Labels))
		switch {
		case controller != nil && controller.UID != set.UID: // somebody else's
		case controller != nil && matches:
			mine = append(mine, child)
		case set.DeletionTimestamp != nil: // what becomes of children is the garbage collector's
		case controller != nil:
			if failed {
				continue // wrong: this child has not failed
			}
			err := release(ctx, api, set, child)
			failed = err != nil
			failures = append(failures, err)
		case matches && child.DeletionTimestamp == nil:
			adopted, err := adopt(ctx, api, set, child, mayAdopt)
			if adopted {
				mine = append(mine, child)
			}
			failures = append(failures, err)
		}
	}
	return mine, errors.Join(failures...)
}
