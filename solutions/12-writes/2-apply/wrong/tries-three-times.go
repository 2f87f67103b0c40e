// Breaks: In every other case there is no second request, and there is never a third.
// Caught by: TestTheSecondRequestIsRefused
// Message: Happened: there were 3, and returned was: web/shop, after a conflict over 1 fields: Apply failed with 1
// conflict: conflict with "kubectl-edit" using apps/v1: .spec.template.spec.containers[name="proxy"].image

//go:build wrong

package apply

import (
	"context"
	"fmt"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
	for _, field := range []string{"once", "twice"} { // wrong
		err = over.Apply(ctx, configuration(key, want), options(force)...)
		if err == nil || !apierrors.IsConflict(err) || field == "twice" {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("%s, after a conflict over %d fields: %w", key, len(fields), err)
	}
	return nil
	//solution:end
}
