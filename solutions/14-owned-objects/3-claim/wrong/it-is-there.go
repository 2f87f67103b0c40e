// Misconception: a set that is there stays.
// Caught by: TestTheCacheIsLate
// Message: the belief that a set that is there stays.

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
	case live.UID != set.UID:
		return fmt.Errorf("the set %s was made anew: its UID is %s, and the cache has %s", set.Name, live.UID, set.UID)
		// wrong: it may be being deleted
	}
	return nil
}
