// Misconception: the reference alone says what is the set's.
// Caught by: TestSelected
// Message: the belief that the reference is all.
// Removes: release

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
	for _, child := range children {
		controller := metav1.GetControllerOfNoCopy(child)
		matches := selector.Matches(labels.Set(child.Labels))
		switch {
		case controller != nil && controller.UID != set.UID: // somebody else's
		case controller != nil: // wrong: whatever the selector says
			mine = append(mine, child)
		case set.DeletionTimestamp != nil: // what becomes of children is the garbage collector's
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
