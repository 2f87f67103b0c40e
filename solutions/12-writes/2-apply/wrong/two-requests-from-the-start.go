// Misconception: the replicas are a request of their own.
// Caught by: TestWhatIsWanted
// Message: Happened: in the request .metadata.annotations.sidecar.scratch.example.com/revision is not there;
// .spec.template.spec.containers[0].env[0].name is not there; .spec.template.spec.containers[0].env[0].value is not
// there; and 4 more

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
	if want.Replicas != nil { // wrong: the next one takes them away
		err := over.Apply(ctx, configuration(key, Wanted{Replicas: want.Replicas}), options(false)...)
		if err != nil && !apierrors.IsConflict(err) {
			return err
		}
		want.Replicas = nil
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
