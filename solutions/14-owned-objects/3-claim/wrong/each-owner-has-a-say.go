// Misconception: a reference to the set makes a child the set's.
// Caught by: TestWhose
// Message: the belief that each owner has a say.

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
		controller := referenceTo(set, child)
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
}

// referenceTo returns the reference to the set, or else the controller's.
func referenceTo(set, child *metav1.PartialObjectMetadata) *metav1.OwnerReference {
	for i, reference := range child.OwnerReferences {
		if reference.UID == set.UID {
			return &child.OwnerReferences[i] // wrong: it may be no controller
		}
	}
	return metav1.GetControllerOfNoCopy(child)
}
