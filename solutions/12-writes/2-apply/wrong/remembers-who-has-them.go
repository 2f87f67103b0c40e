// Misconception: who has the replicas has them for ever.
// Caught by: TestReplicasOfAnother
// Message: Points to: the belief that who has a field has it for ever. By the next call somebody may have given it up

//go:build wrong

package apply

import (
	"context"
	"fmt"
	"sync"
)

func Apply(ctx context.Context, over Applier, key Key, want Wanted) error {
	//solution:begin
	//todo: say what is wanted, and settle a conflict
	//stub: _, _, _ = errors.As, maps.Keys[map[string]string], slices.Sorted[string]
	//stub: _, _ = apierrors.IsConflict, metav1.CauseTypeFieldManagerConflict
	//stub: _, _ = appsv1.Deployment, corev1.Container
	//stub: return fmt.Errorf("nobody applies to %s yet", key)
	if _, ok := lost.Load(key); ok {
		want.Replicas = nil // wrong
	}
	err := over.Apply(ctx, configuration(key, want), options(false)...)
	fields := conflicts(err)
	if len(fields) == 0 {
		return err
	}
	want, force := settle(want, fields)
	if want.Replicas == nil {
		lost.Store(key, true)
	}
	if err := over.Apply(ctx, configuration(key, want), options(force)...); err != nil {
		return fmt.Errorf("%s, after a conflict over %d fields: %w", key, len(fields), err)
	}
	return nil
	//solution:end
}

var lost sync.Map
