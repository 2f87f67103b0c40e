// Misconception: a patch of an object that is gone is a conflict.
// Caught by: TestWhatIsGone
// Message: Points to: the belief that a patch with a UID is never refused, or as an update is, with a conflict
// Removes: add, keeper.right

//go:build wrong

package two

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"strings"
)

// Add adds a controller to the manager for each of the notes.
func Add(m manager.Manager, notes ...Note) error {
	for _, n := range notes {
		err := builder.ControllerManagedBy(m).
			Named(n.Name).
			For(&corev1.ConfigMap{}).
			Complete(&keeper{Note: n, client: m.GetClient()})
		if err != nil {
			return fmt.Errorf("note %q: %w", n.Name, err)
		}
	}
	return nil
}

func (k *keeper) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	// found shares its maps with the cache
	var found corev1.ConfigMap
	if err := k.client.Get(ctx, req.NamespacedName, &found); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	want := k.Value(found.DeepCopy())
	if have, ok := found.Annotations[k.Annotation]; ok && have == want {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, k.write(ctx, req.NamespacedName, found.UID, want)
}

// write puts the note on the ConfigMap with this UID.
func (k *keeper) write(ctx context.Context, key types.NamespacedName, uid types.UID, note string) error {
	data, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid":         uid,
		"annotations": map[string]string{k.Annotation: note},
	}})
	if err != nil {
		return err
	}
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
	err = k.client.Patch(ctx, target, client.RawPatch(types.MergePatchType, data), client.FieldOwner(k.Name))
	if gone(err) {
		return nil
	}
	return err
}

// gone says whether there is no such ConfigMap any more: none with its name, or another one.
func gone(err error) bool {
	if err == nil || client.IgnoreNotFound(err) == nil {
		return err != nil
	}
	var s interface{ Status() metav1.Status }
	if !errors.As(err, &s) {
		return false
	}
	// "Precondition failed: UID in precondition: ..., UID in object meta: ..."
	status := s.Status()
	return status.Reason == metav1.StatusReasonConflict && strings.Contains(status.Message, "UID in precondition")
}
