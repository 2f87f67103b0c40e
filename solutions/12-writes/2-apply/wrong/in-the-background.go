// Breaks: Apply waits for nothing but the Applier, and starts nothing that goes on after it.
// Caught by: TestReplicasOfAnother
// Message: there were 1, and returned was: nothing

//go:build wrong

package apply

import "context"

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
	go over.Apply(ctx, configuration(key, want), options(force)...) // wrong
	return nil
	//solution:end
}
