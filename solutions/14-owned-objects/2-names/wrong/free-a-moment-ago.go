// Misconception: what was free a moment ago is free.
// Caught by: TestMadeInBetween
// Message: the belief that a name that was free a moment ago is free.

//go:build wrong

package names

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Create(ctx context.Context, server Server, owner Owner, children []*metav1.PartialObjectMetadata, n int) (
	[]string, error) {
	var made []string
	for number := first(owner, children); len(made) < n; number++ {
		name := name(owner, number)
		there, err := server.Get(ctx, name)
		if apierrors.IsNotFound(err) {
			if err := server.Create(ctx, name); err != nil {
				return made, err // wrong
			}
			made = append(made, name)
			continue
		}
		if err != nil {
			return made, err
		}
		controller := metav1.GetControllerOf(there)
		if controller != nil && controller.UID == owner.UID && there.DeletionTimestamp == nil {
			made = append(made, name)
		}
	}
	return made, nil
}
