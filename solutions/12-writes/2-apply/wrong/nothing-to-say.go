// Misconception: with nothing that is wanted there is nothing to say.
// Caught by: TestWhatIsNotWantedIsNotSaid
// Message: Happened: there was none, and returned was: nothing

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
	if want.Image == "" && want.Replicas == nil {
		return nil // wrong: what was said is there
	}
	err := over.Apply(ctx, configuration(key, want), options(false)...)
	fields := conflicts(err)
	if len(fields) == 0 {
		return err
	}
	want, force := settle(want, fields)
	if err := over.Apply(ctx, configuration(key, want), options(force)...); err != nil {
		return fmt.Errorf("%s, after a conflict over %d fields: %w", key, len(fields), err)
	}
	return nil
	//solution:end
}
