// Misconception: a set of this name is this set.
// Caught by: TestTheCacheIsLate
// Message: the belief that a set of this name is this set.

//go:build wrong

package claim

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func stillThere(ctx context.Context, api API, set *metav1.PartialObjectMetadata) error {
	live, err := api.Live(ctx)
	switch {
	case err != nil:
		return err
	case live.Name != set.Name: // wrong: a name is used again
		return fmt.Errorf("the set %s is another one", set.Name)
	case live.DeletionTimestamp != nil:
		return fmt.Errorf("the set %s is being deleted", set.Name)
	}
	return nil
}
