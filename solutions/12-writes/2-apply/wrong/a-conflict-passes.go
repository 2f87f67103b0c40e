// Misconception: a conflict passes, so the same request is made again.
// Caught by: TestReplicasOfAnother
// Message: Points to: the belief that a conflict passes by itself. This one is over who has a field, and the same
// request meets it again

//go:build wrong

package apply

import (
	"context"
	"fmt"
)

func Apply(ctx context.Context, over Applier, key Key, want Wanted) error {
	//solution:begin
	//todo: say what is wanted, and settle a conflict
	//stub: _, _, _ = errors.As, maps.Keys[map[string]string], slices.Sorted[string]
	//stub: _, _ = apierrors.IsConflict, metav1.CauseTypeFieldManagerConflict
	//stub: _, _ = appsv1.Deployment, corev1.Container
	//stub: return fmt.Errorf("nobody applies to %s yet", key)
	err := over.Apply(ctx, configuration(key, want), options(false)...)
	fields := conflicts(err)
	if len(fields) == 0 {
		return err
	}
	force := false // wrong
	if err := over.Apply(ctx, configuration(key, want), options(force)...); err != nil {
		return fmt.Errorf("%s, after a conflict over %d fields: %w", key, len(fields), err)
	}
	return nil
	//solution:end
}
