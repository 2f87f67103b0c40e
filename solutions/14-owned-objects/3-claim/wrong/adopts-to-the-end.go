// Misconception: a set that is being deleted adopts.
// Caught by: TestADyingSetAdoptsNothing
// Message: the belief that a set that is being deleted keeps order to the end. What it adopts

//go:build wrong

package claim

import (
	"context"
	"errors"
	"fmt"
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
		case controller != nil && matches:
			mine = append(mine, child)
		case controller != nil && set.DeletionTimestamp != nil:
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

func stillThere(ctx context.Context, api API, set *metav1.PartialObjectMetadata) error {
	live, err := api.Live(ctx)
	switch {
	case err != nil:
		return err
	case live.UID != set.UID:
		return fmt.Errorf("the set %s was made anew: its UID is %s, and the cache has %s", set.Name, live.UID, set.UID)
	case live.DeletionTimestamp != nil && set.DeletionTimestamp == nil: // wrong: nobody has looked at the cache's
		return fmt.Errorf("the set %s is being deleted", set.Name)
	}
	return nil
}
