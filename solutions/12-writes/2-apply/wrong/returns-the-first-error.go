// Breaks: Otherwise the last request's error, bare or wrapped, so that errors.Is finds it.
// Caught by: TestTheSecondRequestIsRefused
// Message: Happened: returned was: web/shop, after a conflict over 1 fields: Apply failed with 1 conflict: conflict
// with "kube-controller-manager" using apps/v1: .spec.replicas

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
	want, force := settle(want, fields)
	if again := over.Apply(ctx, configuration(key, want), options(force)...); again != nil { // wrong
		return fmt.Errorf("%s, after a conflict over %d fields: %w", key, len(fields), err)
	}
	return nil
	//solution:end
}
