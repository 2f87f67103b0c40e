// Misconception: two writes at once are a conflict, so one waits for the other.
// Caught by: TestSeveralAtOnce
// Message: each comes to write while the others are there

//go:build wrong

package status

import (
	"context"
	"sync"

	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var writing sync.Mutex

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	writing.Lock() // wrong: the conflict comes anyway
	defer writing.Unlock()
	patch := client.MergeFromWithOptions(read, client.MergeFromWithOptimisticLock{})
	return unlessGone(r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)))
}
