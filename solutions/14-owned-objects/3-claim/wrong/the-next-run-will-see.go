// Misconception: a failure is for the next run.
// Caught by: TestAFailureIsOneChilds
// Message: the belief that the next run will see to it.

//go:build wrong

package claim

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func release(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata) error {
	others := slices.DeleteFunc(slices.Clone(child.OwnerReferences), func(reference metav1.OwnerReference) bool {
		return reference.UID == set.UID
	})
	if err := api.SetOwners(ctx, child, others); err != nil && !gone(err) {
		fmt.Println("release", child.Name, err) // wrong: nobody has to try again
	}
	return nil
}
