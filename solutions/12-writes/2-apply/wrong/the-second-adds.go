// Misconception: the second request adds to what is there, so it says what was in conflict.
// Caught by: TestTheControllersOwn
// Message: Points to: the belief that a request adds to the one before. The API server takes away what this one does
// not say

//go:build wrong

package apply

import (
	"context"
	"fmt"
	appsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"strings"
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
	still, force := settle(want, fields)
	again := configuration(key, still)
	if force { // wrong: it says what was in conflict
		again = appsv1.Deployment(key.Name, key.Namespace)
		for _, field := range fields {
			if strings.HasSuffix(field, ".image") {
				again.WithSpec(appsv1.DeploymentSpec().WithTemplate(corev1.PodTemplateSpec().WithSpec(corev1.PodSpec().
					WithContainers(corev1.Container().WithName(Container).WithImage(want.Image)))))
			} else {
				again = configuration(key, still)
				break
			}
		}
	}
	if err := over.Apply(ctx, again, options(force)...); err != nil {
		return fmt.Errorf("%s, after a conflict over %d fields: %w", key, len(fields), err)
	}
	return nil
	//solution:end
}
