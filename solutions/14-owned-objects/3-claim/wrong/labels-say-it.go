// Misconception: what the selector matches is the set's.
// Caught by: TestWhose
// Message: the belief that the labels say whose a child is.
// Removes: adopt, stillThere

//go:build wrong

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
		controller := metav1.GetControllerOfNoCopy(child)
		matches := selector.Matches(labels.Set(child.Labels))
		switch {
		case matches: // wrong: whoever controls it
			mine = append(mine, child)
		case set.DeletionTimestamp != nil: // what becomes of children is the garbage collector's
		case controller != nil:
			failures = append(failures, release(ctx, api, set, child))
		}
	}
	return mine, errors.Join(failures...)
}
