// Misconception: a set that is not found live is not there yet.
// Stage: 3

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
	case gone(err):
		return nil // wrong: it is no longer there
	case err != nil:
		return err
	case live.UID != set.UID:
		return fmt.Errorf("the set %s was made anew: its UID is %s, and the cache has %s", set.Name, live.UID, set.UID)
	case live.DeletionTimestamp != nil:
		return fmt.Errorf("the set %s is being deleted", set.Name)
	}
	return nil
}
