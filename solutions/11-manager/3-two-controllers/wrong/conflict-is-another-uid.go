// Misconception: a write without a resourceVersion is refused with 409 or 422 for its UID alone.
// Caught by: TestAnyRefusalIsAFailure
// Message: Points to: the belief that 409 and 422 are said of another UID, and of nothing else. Admission says them,
// too, and a server that loses its own race
// Base: alt/answer-into-the-read

//go:build wrong

package two

import (
	"context"
	"encoding/json"
	"errors"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (k *keeper) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var cached corev1.ConfigMap // shares its maps with the informer
	if err := k.client.Get(ctx, req.NamespacedName, &cached); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	want := k.note.Value(cached.DeepCopy())
	if have, ok := cached.Annotations[k.note.Annotation]; ok && have == want {
		return reconcile.Result{}, nil
	}
	data, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid":         cached.UID,
		"annotations": map[string]string{k.note.Annotation: want},
	}})
	if err != nil {
		return reconcile.Result{}, err
	}
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}}
	err = k.client.Patch(ctx, target, client.RawPatch(types.MergePatchType, data), client.FieldOwner(k.note.Name))
	if gone(err) {
		err = nil
	}
	return reconcile.Result{}, err
}

// gone says whether a write was refused because the ConfigMap is not there any more: none is, or another of its name.
func gone(err error) bool {
	if err == nil {
		return false
	}
	if client.IgnoreNotFound(err) == nil {
		return true
	}
	var refused interface{ Status() metav1.Status }
	if !errors.As(err, &refused) {
		return false
	}
	// The patch has no resourceVersion in it, so a conflict can only be about the UID.
	reason := refused.Status().Reason
	return reason == metav1.StatusReasonConflict || reason == metav1.StatusReasonInvalid
}
