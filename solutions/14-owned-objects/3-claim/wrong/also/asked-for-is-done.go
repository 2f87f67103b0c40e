// Misconception: what was asked for was done.
// Stage: 3

//go:build wrong

package claim

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
		case set.DeletionTimestamp != nil: // what becomes of children is the garbage collector's
		case controller != nil:
			failures = append(failures, release(ctx, api, set, child))
		case matches && child.DeletionTimestamp == nil:
			adopted, err := adopt(ctx, api, set, child, mayAdopt)
			_ = adopted
			if !errors.Is(err, errNoLook) {
				mine = append(mine, child) // wrong: it may have failed
			}
			failures = append(failures, err)
		}
	}
	return mine, errors.Join(failures...)
}

// errNoLook says that nothing was asked for.
var errNoLook = errors.New("not adopted")

func adopt(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata, may func() error) (bool, error) {
	if err := may(); err != nil {
		return false, errors.Join(errNoLook, err)
	}
	err := api.SetOwners(ctx, child, append(slices.Clone(child.OwnerReferences), controlledBy(set)))
	if err != nil && !gone(err) {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	return err == nil, nil
}
