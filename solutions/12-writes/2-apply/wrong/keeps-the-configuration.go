// Misconception: a configuration can be kept for the next call.
// Caught by: TestWhatIsNotWantedIsNotSaid
// Message: Happened: in the request .metadata.annotations.team is "blue"; .metadata.labels.app is "shop";
// .spec.replicas is 0; and 14 more

//go:build wrong

package apply

import (
	"context"
	"fmt"
	appsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	"sync"
)

func Apply(ctx context.Context, over Applier, key Key, want Wanted) error {
	//solution:begin
	//todo: say what is wanted, and settle a conflict
	//stub: _, _, _ = errors.As, maps.Keys[map[string]string], slices.Sorted[string]
	//stub: _, _ = apierrors.IsConflict, metav1.CauseTypeFieldManagerConflict
	//stub: _, _ = appsv1.Deployment, corev1.Container
	//stub: return fmt.Errorf("nobody applies to %s yet", key)
	text := fmt.Sprint(key, want.Image, want.Revision, want.Env, want.Replicas != nil && *want.Replicas != 0)
	kept, _ := configurations.LoadOrStore(text, configuration(key, want))
	err := over.Apply(ctx, kept.(*appsv1.DeploymentApplyConfiguration), options(false)...) // wrong
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

var configurations sync.Map
