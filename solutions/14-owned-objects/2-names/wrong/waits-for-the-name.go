// Misconception: a name that is being deleted is free in a moment.
// Caught by: TestItsOwnAndBeingDeleted
// Message: the belief that a name that is being deleted is free soon.

//go:build wrong

package names

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Create(ctx context.Context, server Server, owner Owner, children []*metav1.PartialObjectMetadata, n int) (
	[]string, error) {
	var made []string
	for number := first(owner, children); len(made) < n; number++ {
		name := name(owner, number)
		err := server.Create(ctx, name)
		for apierrors.IsAlreadyExists(err) {
			there, failed := server.Get(ctx, name)
			switch {
			case failed != nil && !apierrors.IsNotFound(failed):
				return made, failed
			case failed == nil && metav1.IsControlledBy(there, &metav1.ObjectMeta{UID: owner.UID}):
				if there.DeletionTimestamp != nil {
					err = server.Create(ctx, name) // wrong: until it is gone
					continue
				}
				err = nil
			default:
				err = errTaken
			}
		}
		if errors.Is(err, errTaken) {
			continue
		}
		if err != nil {
			return made, err
		}
		made = append(made, name)
	}
	return made, nil
}

var errTaken = errors.New("taken")
